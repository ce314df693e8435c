import { createSocket } from 'node:dgram';
import type { Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { ForeignHostError, ForeignHosts } from '../../../src/platform/network/index.js';

const HEADER_BYTES = 12;
const [TYPE_A, TYPE_AAAA] = [1, 28];

/** The IPv4 and IPv6 addresses of the names that the name server knows, as bytes. */
const ZONE: Readonly<Record<string, { v4?: number[][]; v6?: number[][] }>> = {
  'public.test': { v4: [[8, 8, 8, 8]], v6: [[0x2a, 0, 0x14, 0x50, 0x40, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]] },
  'v6.test': { v6: [[0x2a, 0, 0x14, 0x50, 0x40, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]] },
  'inside.test': { v4: [[10, 0, 0, 7]] },
  'metadata.test': { v4: [[169, 254, 169, 254]] },
  'mixed.test': { v4: [[8, 8, 8, 8]], v6: [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]] },
};

/** A name server for `ZONE` (RFC 1035, section 4). */
function answerTo(question: Buffer): Buffer {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = question.readUInt16BE(at + 1);
  const known = ZONE[labels.join('.').toLowerCase()];
  const addresses = (type === TYPE_A ? known?.v4 : type === TYPE_AAAA ? known?.v6 : undefined) ?? [];
  const header = Buffer.alloc(HEADER_BYTES);
  question.copy(header, 0, 0, 2);
  // A recursive answer, without an error or with "no such name".
  header.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address]),
  );
  return Buffer.concat([header, question.subarray(HEADER_BYTES, at + 5), ...records]);
}

describe('the hosts that others name, by DNS', () => {
  let nameServer: Socket;
  let hosts: ForeignHosts;

  beforeAll(async () => {
    nameServer = createSocket('udp4');
    nameServer.on('message', (question, { port, address }) => {
      nameServer.send(answerTo(question), port, address);
    });
    nameServer.bind(0, '127.0.0.1');
    await once(nameServer, 'listening');
    const { port } = nameServer.address();
    hosts = new ForeignHosts(false, () => {
      const resolver = new Resolver();
      resolver.setServers([`127.0.0.1:${port}`]);
      return resolver;
    });
  });

  afterAll(async () => {
    await promisify(nameServer.close.bind(nameServer))();
  });

  test('have the addresses of either kind that the name has', async () => {
    expect(await hosts.addressesOf('public.test')).toEqual(['8.8.8.8', '2a00:1450:4001::1']);
    expect(await hosts.addressesOf('v6.test')).toEqual(['2a00:1450:4001::1']);
    expect(await hosts.addressesOf('8.8.8.8')).toEqual(['8.8.8.8']);
  });

  test.each(['inside.test', 'metadata.test', 'mixed.test', '127.0.0.1', '::1', '169.254.169.254'])(
    '%s is refused: it, or one of its addresses, is not public',
    async (host) => {
      await expect(hosts.addressesOf(host)).rejects.toMatchObject({ code: 'EHOSTNOTALLOWED' });
    },
  );

  test('a name without an address is refused as one', async () => {
    await expect(hosts.addressesOf('nothing.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('a name of the house alone is none', async () => {
    await expect(hosts.addressesOf('localhost')).rejects.toBeInstanceOf(ForeignHostError);
  });

  test('a socket gets one address or all of them, of the family that it wants', async () => {
    const look = async (host: string, options: { all?: boolean; family?: number }): Promise<unknown> =>
      await new Promise((resolve) => {
        hosts.lookup(host, options, (error, ...found) => {
          resolve(error ?? found);
        });
      });
    expect(await look('public.test', {})).toEqual(['8.8.8.8', 4]);
    expect(await look('public.test', { family: 6 })).toEqual(['2a00:1450:4001::1', 6]);
    expect(await look('public.test', { all: true })).toEqual([
      [
        { address: '8.8.8.8', family: 4 },
        { address: '2a00:1450:4001::1', family: 6 },
      ],
    ]);
    expect(await look('v6.test', { all: true, family: 4 })).toMatchObject({ code: 'ENOTFOUND' });
    expect(await look('mixed.test', { all: true })).toMatchObject({ code: 'EHOSTNOTALLOWED' });
  });
});

test('where private addresses are allowed, a name may be one of the house, and link-local ones are refused all the same', async () => {
  const hosts = new ForeignHosts(true);
  expect(await hosts.addressesOf('localhost')).toContain('127.0.0.1');
  expect(await hosts.addressesOf('10.0.0.1')).toEqual(['10.0.0.1']);
  await expect(hosts.addressesOf('169.254.169.254')).rejects.toMatchObject({ code: 'EHOSTNOTALLOWED' });
});
