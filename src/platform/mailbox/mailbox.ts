import { isFQDN } from 'class-validator';
import { domainToASCII } from 'node:url';

export const MIN_ADDRESS_LENGTH = 3;
export const MAX_ADDRESS_LENGTH = 254;
/** RFC 5321, section 4.5.3.1.1. */
const MAX_LOCAL_LENGTH = 64;
const MAX_SENDER_LENGTH = 320;

/** A mailbox in its one spelling, or why there is none: words that follow the name of the field. */
export type Mailbox =
  { readonly address: string; readonly problem: null } | { readonly address: null; readonly problem: string };

/** `domainToASCII` parses a domain as in a URL: it would decode escapes and drop white space, port and path. */
const DOMAIN = /^[^\s\p{Cc}%/\\:?#@[\]<>]+$/u;
/** A quoted string as the whole of a local part (RFC 5321, section 4.1.2), and what stands behind it. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*)"@(.*)$/;
const ATOM_CHARACTERS = /^[\w.!#$%&'*+/=?^`{|}~-]+$/;
const TAKEN = "letters, digits and any of .!#$%&'*+-/=?^_`{|}~";

const NO_ADDRESS = 'must be an e-mail address such as ada@example.com';

function refused(problem: string): Mailbox {
  return { address: null, problem };
}

/** What is wrong with a local part, of which the quotes are gone; null for a dot-atom. */
function localProblem(local: string, isQuoted: boolean): string | null {
  if (local === '' && !isQuoted) return NO_ADDRESS;
  // Only ASCII: lower-casing folds some other letters into ASCII ones (KELVIN SIGN to k), and two people
  // must never share an address by that.
  if (/[^\p{ASCII}]/u.test(local)) return `must have an ASCII local part: ${TAKEN}`;
  if (isQuoted && !isDotAtom(local))
    return `must have a local part that needs no quotes: ${TAKEN}, with no dot at its beginning or end or after another`;
  if (!ATOM_CHARACTERS.test(local)) return `must have a local part of ${TAKEN}`;
  if (!isDotAtom(local))
    return 'must not have a dot at the beginning or end of the local part, or after another dot';
  return local.length > MAX_LOCAL_LENGTH
    ? `must have a local part of at most ${MAX_LOCAL_LENGTH} characters`
    : null;
}

function isDotAtom(local: string): boolean {
  return ATOM_CHARACTERS.test(local) && !/^\.|\.\.|\.$/.test(local);
}

/** The domain in its IDNA form (RFC 5891), or what is wrong with it. */
function normalDomain(domain: string, needsDot: boolean): { domain: string } | { problem: string } {
  if (domain.startsWith('[') || /^[\d.]+$/.test(domain))
    return { problem: 'must have a domain name behind the @, not an address of a host' };
  const ascii = DOMAIN.test(domain) ? domainToASCII(domain).toLowerCase() : '';
  if (ascii.endsWith('.')) return { problem: 'must not end in a dot' };
  const isName = isFQDN(ascii, { require_tld: needsDot });
  return isName ? { domain: ascii } : { problem: 'must have a domain name such as example.com behind the @' };
}

interface Rules {
  /** Whether the domain must have more than one label. */
  readonly needsDot: boolean;
  readonly keepsCase: boolean;
}

function parseAddress(text: string, { needsDot, keepsCase }: Rules): Mailbox {
  const quoted = QUOTED.exec(text);
  const at = text.lastIndexOf('@');
  if (quoted === null && at === -1) return refused(NO_ADDRESS);
  const local = quoted === null ? text.slice(0, at) : (quoted[1] ?? '').replace(/\\(.)/g, '$1');
  const problem = localProblem(local, quoted !== null || /^".*"$/s.test(local));
  if (problem !== null) return refused(problem);
  const parsed = normalDomain(quoted === null ? text.slice(at + 1) : (quoted[2] ?? ''), needsDot);
  if ('problem' in parsed) return refused(parsed.problem);
  const address = `${keepsCase ? local : local.toLowerCase()}@${parsed.domain}`;
  if (address.length > MAX_ADDRESS_LENGTH)
    return refused(`must have at most ${MAX_ADDRESS_LENGTH} characters`);
  return { address, problem: null };
}

/**
 * The one spelling in which the mailbox of an account is stored, compared, counted and written to: trimmed, lower case,
 * the domain in its IDNA form (RFC 5891), the local part an ASCII dot-atom. A quoted local part that means a dot-atom
 * becomes it (RFC 5321, section 4.1.2). Any other quoted local part is refused, because each mail library quotes it
 * differently.
 */
export function normalMailbox(raw: string): Mailbox {
  // First of all: normalising a long text takes time that grows with the square of its length.
  if (raw.length > MAX_ADDRESS_LENGTH) return refused(`must have at most ${MAX_ADDRESS_LENGTH} characters`);
  return parseAddress(raw.trim(), { needsDot: true, keepsCase: false });
}

/** `local@domain` or `Name <local@domain>`, on one line because it becomes a mail header. */
const SENDER = /^(?:([^<>\p{Cc}]*[^<>\p{Cc}\s])\s*<([^<>]*)>|([^<>]*))$/u;
const OF_SENDER: Rules = { needsDot: false, keepsCase: true };

/**
 * A sender in its one spelling: the address as that of an account, but for the case of its local part, and a single
 * label as its domain is well; the name as it is written.
 */
export function normalSender(text: string): Mailbox {
  const [, name, named, bare] = (text.length <= MAX_SENDER_LENGTH && SENDER.exec(text)) || [];
  const written = named ?? bare;
  if (written === undefined)
    return refused('must be an address, or a name and an address: Acme <hello@acme.example>');
  const parsed = parseAddress(written, OF_SENDER);
  if (parsed.address === null || name === undefined) return parsed;
  return { address: `${name} <${parsed.address}>`, problem: null };
}

/**
 * Name and address of a sender, for a mail library that would read them otherwise: in `Sales: a <b@c.example>` it would
 * find a group, and in `Acme, Inc. <b@c.example>` two mailboxes.
 *
 * @param sender as `normalSender` gives it
 */
export function senderOf(sender: string): { readonly name: string; readonly address: string } {
  const [, name = '', named, bare = ''] = SENDER.exec(sender) ?? [];
  const isQuoted = /^"(?:[^"\\]|\\.)*"$/.test(name);
  return { name: isQuoted ? name.slice(1, -1).replace(/\\(.)/g, '$1') : name, address: named ?? bare };
}
