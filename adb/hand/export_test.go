package hand

// Paces are the paces that a finger moves at.
var Paces = &paces
