import assert from "node:assert/strict";
import { test } from "node:test";
import { timeSaid } from "../../static/site/logic/times.js";

const AT = new Date("2026-11-25T23:30:00Z");

test("a time is that of the reader's zone, in the style of the page", () => {
  assert.equal(timeSaid(AT, "SHORT_DATETIME_FORMAT", "en", "Europe/Madrid"), "26 Nov 2026, 00:30");
  assert.equal(timeSaid(AT, "DATETIME_FORMAT", "en", "America/Lima"), "25 November 2026, 18:30");
  assert.equal(timeSaid(AT, "SHORT_DATETIME_FORMAT", "es", "Europe/Madrid"), "26/11/2026, 00:30");
  assert.equal(timeSaid(AT, "DATETIME_FORMAT", "es", "UTC"), "25 de noviembre de 2026, 23:30");
});

test("a day is that of the reader's zone, too", () => {
  assert.equal(timeSaid(AT, "SHORT_DATE_FORMAT", "en", "Asia/Tokyo"), "26 Nov 2026");
  assert.equal(timeSaid(AT, "SHORT_DATE_FORMAT", "es", "UTC"), "25/11/2026");
});
