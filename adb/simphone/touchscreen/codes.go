package touchscreen

// Types, codes and properties of Linux's input events, by the values of
// linux/input-event-codes.h.
const (
	evSyn = 0
	evKey = 1
	evAbs = 3

	synReport   = 0
	synMTReport = 2
	synDropped  = 3

	absX          = 0
	absY          = 1
	absMTSlot     = 0x2f
	absMTFirst    = 0x30 // the first value of a contact
	absMTX        = 0x35
	absMTY        = 0x36
	absMTTracking = 0x39
	absMTPressure = 0x3a
	absMTLast     = 0x3d

	btnTouch = 0x14a

	propPointer = 0
	propDirect  = 1

	busUSB       = 3
	busBluetooth = 5
)

// The largest code of each type, and the largest property.
const (
	maxKey      = 0x2ff
	maxAbs      = 0x3f
	maxProperty = 0x1f
)

// labels are the names that getevent -l prints. It prints codes without one as
// numbers.
var labels = map[uint16]map[uint16]string{
	evKey: {
		0x66: "KEY_HOME", 0x72: "KEY_VOLUMEDOWN", 0x73: "KEY_VOLUMEUP", 0x74: "KEY_POWER", 0x8b: "KEY_MENU", 0x8f: "KEY_WAKEUP",
		0x9e: "KEY_BACK", 0xd4: "KEY_CAMERA", 0xe2: "KEY_MEDIA", 0x145: "BTN_TOOL_FINGER", 0x14a: "BTN_TOUCH", 0x14b: "BTN_STYLUS",
		0x14d: "BTN_TOOL_DOUBLETAP", 0x14e: "BTN_TOOL_TRIPLETAP",
	},
	evAbs: {
		0x00: "ABS_X", 0x01: "ABS_Y", 0x02: "ABS_Z", 0x18: "ABS_PRESSURE", 0x19: "ABS_DISTANCE", 0x1c: "ABS_TOOL_WIDTH",
		0x28: "ABS_MISC", 0x2f: "ABS_MT_SLOT", 0x30: "ABS_MT_TOUCH_MAJOR", 0x31: "ABS_MT_TOUCH_MINOR", 0x32: "ABS_MT_WIDTH_MAJOR",
		0x33: "ABS_MT_WIDTH_MINOR", 0x34: "ABS_MT_ORIENTATION", 0x35: "ABS_MT_POSITION_X", 0x36: "ABS_MT_POSITION_Y",
		0x37: "ABS_MT_TOOL_TYPE", 0x38: "ABS_MT_BLOB_ID", 0x39: "ABS_MT_TRACKING_ID", 0x3a: "ABS_MT_PRESSURE", 0x3b: "ABS_MT_DISTANCE",
	},
}

// typeNames are the names of event types in getevent's lists.
var typeNames = map[uint16]string{evKey: "KEY", evAbs: "ABS"}

// propertyLabels are the names of properties, which getevent prints with or without
// -l.
var propertyLabels = map[uint16]string{propPointer: "INPUT_PROP_POINTER", propDirect: "INPUT_PROP_DIRECT",
	2: "INPUT_PROP_BUTTONPAD", 3: "INPUT_PROP_SEMI_MT"}
