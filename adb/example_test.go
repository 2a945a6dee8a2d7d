package adb_test

import (
	"context"
	"fmt"
	"image"

	"tapwise/adb"
	"tapwise/adb/hand"
)

// A frame is captured, and a stroke is played from its middle to the right. The
// stroke carries the frame's size and rotation: a phone that has been turned since
// refuses it.
func ExampleDevice_Hand() {
	ctx := context.Background()
	client, err := adb.New(adb.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	phone, err := client.Open(ctx, "") // the only phone that is connected
	if err != nil {
		fmt.Println(err)
		return
	}
	frame, err := phone.Capture(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	middle := frame.Size.Div(2)
	err = phone.Hand().Play(ctx, []hand.Stroke{{
		Points:   []image.Point{middle, middle.Add(image.Pt(frame.Size.X/4, 0))},
		Size:     frame.Size,
		Rotation: frame.Rotation,
	}}, hand.Options{})
	fmt.Println(err)
}
