// Has pzpr's own checker judge solutions. Each line of standard input is
// {"url": …, "cells": [[bx, by, property, value], …], "lines": [[bx, by, property], …]};
// each line of output is "complete" or what is wrong.
const pzpr = require(process.argv[2] || "pzpr");
const readline = require("readline");

readline.createInterface({input: process.stdin}).on("line", text => {
  const asked = JSON.parse(text);
  const puzzle = new pzpr.Puzzle();
  puzzle.open(asked.url, () => {
    for (const [bx, by, property, value] of asked.cells || []) {
      const cell = puzzle.board.getc(bx, by);
      property === "anum" ? (cell.qnum === -1 && cell.setAnum(value)) : cell.setQans(value);
    }
    for (const [bx, by, property] of asked.lines || []) {
      const border = puzzle.board.getb(bx, by);
      property === "line" ? border.setLine(1) : border.setQans(1);
    }
    const fails = puzzle.check(true);
    console.log(fails.complete ? "complete" : fails.text || fails[0]);
  });
});
