// Package tell lets somebody who does not look know that a run has ended, stands still or needs a
// hand: by a command, a web hook, or a notification on the desktop.
//
//	settings := tell.Settings{OnStuck: "paplay alarm.wav"}
//	err := settings.Tell(ctx, tell.News{Kind: tell.Stuck, Text: "The phone is locked."})
//
// News are the same in every way: one sentence, the phone, the game and how many levels were won.
// They hold no path and no secret, so that they may be sent anywhere.
//
// A command is run by sh. It gets the news as a line of JSON on its standard input, and in the
// variables TAPWISE_NEWS (end or stuck), TAPWISE_TEXT, TAPWISE_PHONE, TAPWISE_GAME, TAPWISE_RUN
// (of a fleet), TAPWISE_WON and TAPWISE_FAILED. A web hook gets the same JSON by POST or, in the form of ntfy
// (https://docs.ntfy.sh/publish/), the sentence as the body and the rest as Title, Priority and Tags.
// A desktop is told by notify-send.
package tell
