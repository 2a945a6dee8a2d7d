package touchscreen

import (
	"errors"
	"fmt"
)

// Usages of HID's tables: the page in the upper 16 bits.
const (
	usageX            = 0x0001_0030
	usageY            = 0x0001_0031
	usageTouchScreen  = 0x000d_0004
	usageTouchPad     = 0x000d_0005
	usageTip          = 0x000d_0042
	usageContactID    = 0x000d_0051
	usageContactCount = 0x000d_0054
)

// Bounds on a report descriptor.
const (
	maxDescriptor  = 4096 // bytes: HID_MAX_DESCRIPTOR_SIZE
	maxReportBits  = 8 * 4096
	maxHIDFields   = 1024
	maxGlobals     = 4 // pushed: HID_GLOBAL_STACK_SIZE
	maxCollections = 256
)

// hidField is one value of an input report.
type hidField struct {
	usage            uint32
	report           uint8 // its number; 0 when reports have none
	offset, size     int   // bits, after the number
	minimum, maximum int32
	application      uint32 // the usage of the collection that it belongs to
	collection       int    // the innermost collection, counted from 0
}

// hidReport is what a descriptor says of a device's input reports.
type hidReport struct {
	numbered bool          // the first byte of each report is its number
	bits     map[uint8]int // the length of each report, without its number
	fields   []hidField
}

// hidGlobals are the items that hold until they are changed.
type hidGlobals struct {
	page             uint32
	minimum, maximum int32
	size, count      int
	report           uint8
}

// hidParser reads a descriptor item by item.
type hidParser struct {
	hidReport
	globals hidGlobals
	pushed  []hidGlobals

	usages             []uint32
	usageMin, usageMax uint32
	ranged             bool

	open        []hidCollection
	collections int
}

type hidCollection struct {
	usage  uint32
	number int
	top    bool // an application
}

// parseDescriptor reads a report descriptor (HID 1.11, section 6.2.2).
func parseDescriptor(data []byte) (*hidReport, error) {
	if len(data) > maxDescriptor {
		return nil, fmt.Errorf("descriptor of %d bytes, expected at most %d", len(data), maxDescriptor)
	}
	p := &hidParser{hidReport: hidReport{bits: make(map[uint8]int)}}
	for len(data) > 0 {
		prefix := data[0]
		size := int(prefix & 3)
		if size == 3 {
			size = 4
		}
		if prefix == 0xfe {
			return nil, errors.New("descriptor with a long item, which nobody defined")
		}
		if len(data) < 1+size {
			return nil, fmt.Errorf("item %#02x is cut short", prefix)
		}
		if err := p.item(prefix, data[1:1+size]); err != nil {
			return nil, err
		}
		data = data[1+size:]
	}
	if len(p.open) > 0 {
		return nil, errors.New("collection is not closed")
	}
	return &p.hidReport, nil
}

// The types of items, in bits 2 and 3 of the prefix.
const (
	itemMain   = 0
	itemGlobal = 1
	itemLocal  = 2
)

func (p *hidParser) item(prefix byte, data []byte) error {
	unsigned := uint32(0)
	for i, b := range data {
		unsigned |= uint32(b) << (8 * i)
	}
	signed := int32(unsigned)
	switch len(data) {
	case 1:
		signed = int32(int8(unsigned))
	case 2:
		signed = int32(int16(unsigned))
	}
	tag := prefix >> 4
	switch prefix >> 2 & 3 {
	case itemMain:
		return p.main(tag, unsigned)
	case itemGlobal:
		return p.global(tag, unsigned, signed)
	case itemLocal:
		return p.local(tag, unsigned, len(data))
	}
	return fmt.Errorf("item %#02x is of no type", prefix)
}

func (p *hidParser) global(tag byte, unsigned uint32, signed int32) error {
	g := &p.globals
	switch tag {
	case 0:
		g.page = unsigned << 16
	case 1:
		g.minimum = signed
	case 2: // it is signed only when the minimum is negative
		g.maximum = int32(unsigned)
		if g.minimum < 0 {
			g.maximum = signed
		}
	case 7:
		if unsigned > 32 {
			return fmt.Errorf("report size of %d bits, expected at most 32", unsigned)
		}
		g.size = int(unsigned)
	case 8:
		if unsigned == 0 || unsigned > 255 {
			return fmt.Errorf("report number %d, expected 1 to 255", unsigned)
		}
		g.report, p.numbered = uint8(unsigned), true
	case 9:
		if unsigned > maxHIDFields {
			return fmt.Errorf("report count %d, expected at most %d", unsigned, maxHIDFields)
		}
		g.count = int(unsigned)
	case 10:
		if len(p.pushed) >= maxGlobals {
			return fmt.Errorf("more than %d pushes", maxGlobals)
		}
		p.pushed = append(p.pushed, *g)
	case 11:
		if len(p.pushed) == 0 {
			return errors.New("pop without a push")
		}
		p.globals, p.pushed = p.pushed[len(p.pushed)-1], p.pushed[:len(p.pushed)-1]
	}
	return nil // physical ranges and units do not matter to a touch
}

func (p *hidParser) local(tag byte, unsigned uint32, bytes int) error {
	usage := unsigned
	if bytes < 4 {
		usage |= p.globals.page
	}
	switch tag {
	case 0:
		if len(p.usages) >= maxHIDFields {
			return fmt.Errorf("more than %d usages", maxHIDFields)
		}
		p.usages = append(p.usages, usage)
	case 1:
		p.usageMin, p.ranged = usage, true
	case 2:
		if p.usageMax = usage; p.ranged {
			for u := p.usageMin; u <= p.usageMax && len(p.usages) < maxHIDFields; u++ {
				p.usages = append(p.usages, u)
			}
		}
	}
	return nil
}

func (p *hidParser) main(tag byte, flags uint32) error {
	defer func() { p.usages, p.ranged = nil, false }()
	switch tag {
	case 8:
		return p.input(flags)
	case 10:
		usage := uint32(0)
		if len(p.usages) > 0 {
			usage = p.usages[0]
		}
		if p.collections++; p.collections > maxCollections {
			return fmt.Errorf("more than %d collections", maxCollections)
		}
		const application = 1
		p.open = append(p.open, hidCollection{usage: usage, number: p.collections - 1, top: flags == application})
	case 12:
		if len(p.open) == 0 {
			return errors.New("end of a collection that was not begun")
		}
		p.open = p.open[:len(p.open)-1]
	}
	return nil // outputs and features are not the hand's
}

// input adds the values of an input item to its report.
func (p *hidParser) input(flags uint32) error {
	const constant, variable = 1, 2
	g := p.globals
	offset := p.bits[g.report]
	if offset+g.size*g.count > maxReportBits {
		return fmt.Errorf("report of more than %d bits", maxReportBits)
	}
	p.bits[g.report] = offset + g.size*g.count
	if flags&constant != 0 || flags&variable == 0 || g.size == 0 {
		return nil
	}
	if len(p.fields)+g.count > maxHIDFields {
		return fmt.Errorf("more than %d fields", maxHIDFields)
	}
	field := hidField{report: g.report, size: g.size, minimum: g.minimum, maximum: g.maximum, collection: -1}
	for _, c := range p.open {
		if c.top {
			field.application = c.usage
		}
		field.collection = c.number
	}
	for i := range g.count {
		if len(p.usages) == 0 {
			break
		}
		// The last usage is that of all the values that are left.
		field.usage = p.usages[min(i, len(p.usages)-1)]
		field.offset = offset + i*g.size
		p.fields = append(p.fields, field)
	}
	return nil
}

// value reads a field of a report without its number. What a short report lacks is
// zero.
func (f hidField) value(report []byte) int32 {
	value := uint32(0)
	for i := range f.size {
		bit := f.offset + i
		if bit/8 < len(report) && report[bit/8]>>(bit%8)&1 != 0 {
			value |= 1 << i
		}
	}
	if f.minimum < 0 && f.size < 32 && value>>(f.size-1)&1 != 0 {
		value |= ^uint32(0) << f.size
	}
	return int32(value)
}
