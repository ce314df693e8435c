import { argon2d, argon2i, argon2id } from '@noble/hashes/argon2.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { scrypt } from '@noble/hashes/scrypt.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import bcryptjs from 'bcryptjs';
import {
  costProblem,
  parseImportedHash,
  sizeProblem,
} from '../../../src/identity/passwords/imported/imported-hash.js';
import { standInOf } from '../../../src/identity/passwords/imported/stand-in.js';

const PASSWORD = 'correct horse bättery';
const SALT = new TextEncoder().encode('sixteen bytes!!!');

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}

async function verifies(hash: string, password = PASSWORD): Promise<boolean> {
  const parsed = parseImportedHash(hash);
  if (parsed === null) throw new Error(`${hash} was not understood`);
  return await parsed.verify(password);
}

function argon2Text(name: string, made: Uint8Array, version = '$v=19'): string {
  return `$${name}${version}$m=256,t=2,p=2$${base64(SALT)}$${base64(made)}`;
}

const ARGON2 = { m: 256, t: 2, p: 2 } as const;
const { hashSync } = bcryptjs;

/** Each made by an implementation that the program does not use. */
const MADE_ELSEWHERE: readonly (readonly [string, string])[] = [
  ['Argon2id', argon2Text('argon2id', argon2id(PASSWORD, SALT, ARGON2))],
  ['Argon2i', argon2Text('argon2i', argon2i(PASSWORD, SALT, ARGON2))],
  ['Argon2d', argon2Text('argon2d', argon2d(PASSWORD, SALT, ARGON2))],
  ['Argon2i of version 16', argon2Text('argon2i', argon2i(PASSWORD, SALT, { ...ARGON2, version: 0x10 }), '')],
  ['bcrypt $2a$', hashSync(PASSWORD, 4).replace('$2b$', '$2a$')],
  ['bcrypt $2b$', hashSync(PASSWORD, 4)],
  ['bcrypt $2y$', hashSync(PASSWORD, 4).replace('$2b$', '$2y$')],
  [
    'scrypt in PHC form',
    `$scrypt$ln=10,r=8,p=2$${base64(SALT)}$${base64(scrypt(PASSWORD, SALT, { N: 1024, r: 8, p: 2, dkLen: 32 }))}`,
  ],
  [
    'PBKDF2 in PHC form',
    `$pbkdf2-sha256$i=1000,l=32$${base64(SALT)}$${base64(pbkdf2(sha256, PASSWORD, SALT, { c: 1000, dkLen: 32 }))}`,
  ],
  [
    'PBKDF2 in PHC form without a length',
    `$pbkdf2-sha1$i=1000$${base64(SALT)}$${base64(pbkdf2(sha1, PASSWORD, SALT, { c: 1000, dkLen: 20 }))}`,
  ],
  [
    'PBKDF2 in modular form',
    `$pbkdf2-sha512$1000$${base64(SALT)}$${base64(pbkdf2(sha512, PASSWORD, SALT, { c: 1000, dkLen: 64 }))}`.replaceAll(
      '+',
      '.',
    ),
  ],
  [
    'PBKDF2 in modular form with SHA-1',
    `$pbkdf2$1000$${base64(SALT)}$${base64(pbkdf2(sha1, PASSWORD, SALT, { c: 1000, dkLen: 20 }))}`.replaceAll(
      '+',
      '.',
    ),
  ],
];

describe('the hash of another system', () => {
  it.each(MADE_ELSEWHERE)('of %s is that of its password and of no other', async (_name, hash) => {
    expect(await verifies(hash)).toBe(true);
    expect(await verifies(hash, `${PASSWORD} `)).toBe(false);
    expect(costProblem(parseImportedHash(hash) as never)).toBeNull();
  });

  it('of scrypt in the form $7$ is read as libsodium writes it', async () => {
    // The third vector of RFC 7914, section 12, cut to the 32 bytes of the form.
    const hash = '$7$C6..../....SodiumChloride$kBGj9fHznVYFQMEn/qDCfrDevf9YDtcDdKvEqHJLV8D';
    expect(await verifies(hash, 'pleaseletmein')).toBe(true);
    expect(await verifies(hash, 'pleaseletmeim')).toBe(false);
    expect(parseImportedHash(hash)).toMatchObject({ kind: '$scrypt$ln=14,r=8,p=1', keyBytes: 32 });
  });

  it.each(['a', 'b', 'y'])(
    'of bcrypt $2%s$ knows 72 bytes of a password, whatever follows',
    async (minor) => {
      const long = 'é'.repeat(36);
      const hash = bcryptjs.hashSync(long, 4).replace('$2b$', `$2${minor}$`);
      expect(await verifies(hash, `${long} and more`)).toBe(true);
      expect(await verifies(hash, long + 'x'.repeat(300))).toBe(true);
      expect(await verifies(hash, 'é'.repeat(35))).toBe(false);
    },
  );

  it('of bcrypt reads past a NUL byte where its origin did', async () => {
    const hash = bcryptjs.hashSync('before\0after', 4);
    expect(await verifies(hash, 'before\0after')).toBe(true);
    expect(await verifies(hash, 'before\0other')).toBe(false);
    const ofPhp = bcryptjs.hashSync('before', 4).replace('$2b$', '$2y$');
    expect(await verifies(ofPhp, 'before\0after')).toBe(true);
  });

  const salt = base64(SALT);
  const key = base64(new Uint8Array(32));

  it.each([
    ['nothing', ''],
    ['a password', 'correct horse'],
    ['MD5 of crypt(3)', '$1$abcdefgh$irWbblnpmw.5z7wgBnprh0'],
    ['the faulty bcrypt', hashSync(PASSWORD, 4).replace('$2b$', '$2x$')],
    ['bcrypt with a short key', hashSync(PASSWORD, 4).slice(0, -1)],
    ['bcrypt with a cost of 32', hashSync(PASSWORD, 4).replace('$04$', '$32$')],
    ['Argon2 with parameters in another order', `$argon2id$v=19$t=2,m=256,p=1$${salt}$${key}`],
    ['Argon2 with a leading zero', `$argon2id$v=19$m=0256,t=2,p=1$${salt}$${key}`],
    ['Argon2 of an unknown version', `$argon2id$v=20$m=256,t=2,p=1$${salt}$${key}`],
    ['Argon2 with a key id', `$argon2id$v=19$m=256,t=2,p=1,keyid=AAAA$${salt}$${key}`],
    ['Argon2 with less memory than its lanes need', `$argon2id$v=19$m=8,t=2,p=2$${salt}$${key}`],
    ['Argon2 with padding', `$argon2id$v=19$m=256,t=2,p=1$${salt}==$${key}`],
    ['Argon2 with bits of no byte', `$argon2id$v=19$m=256,t=2,p=1$${salt}$${key.slice(0, -1)}B`],
    ['Argon2 followed by a line break', `$argon2id$v=19$m=256,t=2,p=1$${salt}$${key}\n`],
    ['PBKDF2 whose key has another length', `$pbkdf2-sha256$i=1000,l=31$${salt}$${key}`],
    ['PBKDF2 of an unknown digest', `$pbkdf2-md5$i=1000$${salt}$${key}`],
    ['scrypt without passes', `$scrypt$ln=10,r=8,p=0$${salt}$${key}`],
    [
      'scrypt $7$ with a foreign digit',
      '$7$C6..../....SodiumChloride$kBGj9fHznVYFQMEn/qDCfrDevf9YDtcDdKvEqHJLV8+',
    ],
    ['a text of a megabyte', `$argon2id$v=19$m=256,t=2,p=1$${salt}$${'A'.repeat(1_000_000)}`],
  ])('that is %s is not understood', (_name, text) => {
    expect(parseImportedHash(text)).toBeNull();
  });

  it.each([
    ['Argon2 of 256 MiB', `$argon2id$v=19$m=262144,t=1,p=1$${salt}$${key}`, '262144 KiB of memory'],
    ['Argon2 with many passes', `$argon2id$v=19$m=65536,t=9,p=1$${salt}$${key}`, 'KiB × passes'],
    ['Argon2 with many lanes', `$argon2id$v=19$m=65536,t=1,p=17$${salt}$${key}`, 'parallelism of 17'],
    ['bcrypt with a cost of 15', hashSync(PASSWORD, 4).replace('$04$', '$15$'), '32768 rounds'],
    ['scrypt of 256 MiB', `$scrypt$ln=18,r=8,p=1$${salt}$${key}`, '262144 KiB of memory'],
    ['scrypt with many passes', `$scrypt$ln=10,r=8,p=512$${salt}$${key}`, 'N × r × p'],
    ['scrypt of 2^59', `$scrypt$ln=59,r=1073741824,p=1073741824$${salt}$${key}`, 'KiB of memory'],
    ['PBKDF2 with many iterations', `$pbkdf2-sha256$i=2000001$${salt}$${key}`, '2000001 iterations'],
    ['PBKDF2 with two blocks', `$pbkdf2-sha1$i=1500000$${salt}$${key}`, '3000000 iterations'],
  ])('that is %s costs too much to be imported', (_name, text, problem) => {
    const parsed = parseImportedHash(text);
    expect(parsed).not.toBeNull();
    expect(costProblem(parsed as never)).toContain(problem);
  });

  it.each([
    ['a short salt', `$pbkdf2-sha256$i=1000$${base64(SALT.slice(0, 7))}$${key}`, 'salt of 7 bytes'],
    ['a long salt', `$pbkdf2-sha256$i=1000$${base64(new Uint8Array(65))}$${key}`, 'salt of 65 bytes'],
    ['a short key', `$pbkdf2-sha256$i=1000$${salt}$${base64(SALT.slice(0, 15))}`, 'key of 15 bytes'],
    ['a long key', `$pbkdf2-sha256$i=1000$${salt}$${base64(new Uint8Array(65))}`, 'key of 65 bytes'],
  ])('that has %s is not imported', (_name, text, problem) => {
    expect(sizeProblem(parseImportedHash(text) as never)).toContain(problem);
  });

  it.each([
    ['Argon2 as Django has it', `$argon2id$v=19$m=102400,t=2,p=8$${salt}$${key}`],
    ['Argon2 as libsodium has it', `$argon2id$v=19$m=65536,t=2,p=1$${salt}$${key}`],
    ['bcrypt with a cost of 14', hashSync(PASSWORD, 4).replace('$04$', '$14$')],
    ['scrypt as OWASP has it', `$scrypt$ln=17,r=8,p=1$${salt}$${key}`],
    ['PBKDF2 as OWASP has it', `$pbkdf2-sha1$i=1300000$${salt}$${base64(new Uint8Array(20))}`],
  ])('that is %s may be imported', (_name, text) => {
    expect(costProblem(parseImportedHash(text) as never)).toBeNull();
  });

  it.each(MADE_ELSEWHERE)('of %s has a stand-in of its kind that no password has', async (_name, hash) => {
    const { kind } = parseImportedHash(hash) as { kind: string };
    const standIn = standInOf(kind);
    expect(parseImportedHash(standIn)?.kind).toBe(kind);
    expect(standInOf(kind)).not.toBe(standIn);
    expect(await verifies(standIn)).toBe(false);
  });
});
