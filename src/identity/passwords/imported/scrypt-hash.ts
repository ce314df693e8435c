import { scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { NUMBER, unpaddedBase64 } from './hash-text.js';
import type { ImportedHash } from './hash-text.js';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

const PHC_FORM = new RegExp(
  `^\\$scrypt\\$ln=([1-9]|[1-5][0-9]),r=${NUMBER},p=${NUMBER}\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)$`,
);
/** Of libsodium and crypt(3): ln is one digit, r and p are five each, the salt is its own text. */
const MODULAR_FORM =
  /^\$7\$([./A-Za-z0-9])([./A-Za-z0-9]{5})([./A-Za-z0-9]{5})([!-#%-~]+)\$([./A-Za-z0-9]{43})$/;

/** The digits of crypt(3), lowest first. */
const DIGITS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** N times r times p: twice the 2^17, 8 and 1 that OWASP recommends. */
const MAX_WORK = 2 ** 21;
/** RFC 7914, section 2: N blocks of r times 128 bytes. */
const BLOCK_BYTES = 128;

interface Scrypt {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Buffer;
  readonly key: Buffer;
}

/** A number in digits of crypt(3), six bits each, lowest first. */
function numberOf(digits: string): number {
  return [...digits].reduce((sum, digit, index) => sum + DIGITS.indexOf(digit) * 2 ** (6 * index), 0);
}

/** Three bytes in four digits, two in three; null where the last digit has bits of no byte. */
function bytesOf(digits: string): Buffer | null {
  const bytes: number[] = [];
  for (let at = 0; at < digits.length; at += 4) {
    const group = digits.slice(at, at + 4);
    const value = numberOf(group);
    const count = group.length - 1;
    if (value >= 2 ** (8 * count)) return null;
    for (let byte = 0; byte < count; byte += 1) bytes.push((value >>> (8 * byte)) & 0xff);
  }
  return Buffer.from(bytes);
}

function phcParameters(text: string): Scrypt | null {
  const [, ln, r, p, saltText = '', keyText = ''] = PHC_FORM.exec(text) ?? [];
  const [salt, key] = [unpaddedBase64(saltText), unpaddedBase64(keyText)];
  if (ln === undefined || salt === null || key === null) return null;
  return { ln: Number(ln), r: Number(r), p: Number(p), salt, key };
}

function modularParameters(text: string): Scrypt | null {
  const [, ln = '', r = '', p = '', salt = '', digits = ''] = MODULAR_FORM.exec(text) ?? [];
  const key = bytesOf(digits);
  if (salt === '' || key === null) return null;
  const scrypt = { ln: numberOf(ln), r: numberOf(r), p: numberOf(p), salt: Buffer.from(salt, 'latin1'), key };
  return scrypt.ln > 0 && scrypt.r > 0 && scrypt.p > 0 ? scrypt : null;
}

/** scrypt (RFC 7914) as a PHC string, or in the modular form `$7$`. */
export function scryptHash(text: string): ImportedHash | null {
  const parameters = phcParameters(text) ?? modularParameters(text);
  if (parameters === null) return null;
  const { ln, r, p, salt, key } = parameters;
  const blockBytes = BLOCK_BYTES * r;
  return {
    kind: `$scrypt$ln=${ln},r=${r},p=${p}`,
    memoryKib: (blockBytes * Math.max(2 ** ln, p)) / 1024,
    lanes: p,
    threads: 1,
    work: { amount: 2 ** ln * r * p, limit: MAX_WORK, unit: 'for N × r × p' },
    saltBytes: salt.length,
    keyBytes: key.length,
    verify: async (password) => {
      const options = { N: 2 ** ln, r, p, maxmem: 2 * blockBytes * (2 ** ln + p) };
      return timingSafeEqual(await derive(password, salt, key.length, options), key);
    },
  };
}
