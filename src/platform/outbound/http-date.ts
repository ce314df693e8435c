const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Sun, 06 Nov 1994 08:49:37 GMT`, the form that is sent. */
const IMF_FIXDATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;
/** `Sunday, 06-Nov-94 08:49:37 GMT`. */
const RFC_850 =
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d\d)-([A-Z][a-z]{2})-(\d\d) (\d\d):(\d\d):(\d\d) GMT$/;
/** `Sun Nov  6 08:49:37 1994`, in UTC. */
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/;

/** A year of two digits more than this ahead is one of the century before. */
const MAX_YEARS_AHEAD = 50;

/** The instant of an HTTP date in any of its three forms (RFC 9110, section 5.6.7), milliseconds; null for other text. */
export function parseHttpDate(text: string, now: Date): number | null {
  const [, day, month, year, ...time] = IMF_FIXDATE.exec(text) ?? [];
  if (year !== undefined) return instant(year, month, day, time);
  const [, shortDay, shortMonth, shortYear, ...shortTime] = RFC_850.exec(text) ?? [];
  if (shortYear !== undefined) {
    const century = Math.floor(now.getUTCFullYear() / 100) * 100;
    const near = century + Number(shortYear);
    const isPast = near > now.getUTCFullYear() + MAX_YEARS_AHEAD;
    return instant(String(isPast ? near - 100 : near), shortMonth, shortDay, shortTime);
  }
  const [, cMonth, cDay, hour = '', minute = '', second = '', cYear] = ASCTIME.exec(text) ?? [];
  return cYear === undefined ? null : instant(cYear, cMonth, cDay, [hour, minute, second]);
}

function instant(
  year: string,
  monthName: string | undefined,
  day: string | undefined,
  [hour, minute, second]: readonly (string | undefined)[],
): number | null {
  const month = MONTHS.indexOf(monthName ?? '');
  const parts = [hour, minute, second].map(Number);
  const [h = 0, m = 0, s = 0] = parts;
  const at = new Date(Date.UTC(Number(year), month, Number(day), h, m, Math.min(s, 59)));
  // A leap second is the end of its minute; the 31st of a month of 30 days is none.
  const isDate = month !== -1 && at.getUTCDate() === Number(day) && h < 24 && m < 60 && s <= 60;
  return isDate ? at.getTime() : null;
}
