/** The grammar of https://www.w3.org/TR/trace-context-2/#tracestate-header. */
const MEMBER =
  /^[a-z0-9][a-z0-9_*/@-]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const SURROUNDING_BLANKS = /^[ \t]+|[ \t]+$/g;
const MAX_MEMBERS = 32;
/** What is passed on at least by the standard, and here at most: it is stored with each run. */
const MAX_LENGTH = 512;
/** Members that are longer are the first to go. */
const LARGE_MEMBER = 128;

/** The members of a `tracestate`, as it is passed on. Returns null if the header is none: it is dropped as a whole. */
export function parseTraceState(header: string): string | null {
  const members = header
    .split(',')
    .map((member) => member.replace(SURROUNDING_BLANKS, ''))
    .filter((member) => member !== '');
  const keys = new Set(members.map((member) => member.slice(0, member.indexOf('='))));
  const isValid = members.every((member) => MEMBER.test(member)) && keys.size === members.length;
  if (!isValid || members.length === 0 || members.length > MAX_MEMBERS) return null;
  while (lengthOf(members) > MAX_LENGTH) {
    const large = members.findLastIndex((member) => member.length > LARGE_MEMBER);
    members.splice(large === -1 ? members.length - 1 : large, 1);
  }
  return members.length === 0 ? null : members.join(',');
}

function lengthOf(members: readonly string[]): number {
  return members.join(',').length;
}
