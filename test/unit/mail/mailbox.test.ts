import fc from 'fast-check';
import { createTransport } from 'nodemailer';
import { normalMailbox, normalSender, senderOf } from '../../../src/platform/mailbox/index.js';
import { messageOf, DeliveryAttempt } from '../../../src/platform/mail/delivery-attempt.js';
import { load } from '../config/loading.js';

const transport = createTransport({ streamTransport: true, buffer: true });
const MAIL = { subject: 'Hello', text: 'Hello.', html: '<p>Hello.</p>' };

/** The envelope and the headers that the mail library makes of the addresses. */
async function compiled(from: string, to: string) {
  const message = messageOf(from, to, MAIL, DeliveryAttempt.inRequest());
  const sent = await transport.sendMail({ ...MAIL, from: message.from, to: message.to });
  const text = (sent.message as Buffer).toString('latin1');
  const header = (name: string) =>
    new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)\r$`, 'm').exec(text)?.[1]?.replace(/\r\n/g, '');
  return { envelope: sent.envelope, from: header('From'), to: header('To') };
}

describe('a mailbox', () => {
  it.each([
    ['"ada"@example.com', 'ada@example.com'],
    [String.raw`"a\da"@example.com`, 'ada@example.com'],
    [String.raw`"\a\d\a"@EXAMPLE.com`, 'ada@example.com'],
    ['"Ada.Lovelace"@example.com', 'ada.lovelace@example.com'],
    [' "ada+tag"@example.com ', 'ada+tag@example.com'],
    ['"ada"@BÜCHER.example', 'ada@xn--bcher-kva.example'],
    ['ada@exam\u00adple.com', 'ada@example.com'],
    ['ada@ＥＸＡＭＰＬＥ.com', 'ada@example.com'],
  ])('%j is %s', (raw, address) => {
    expect(normalMailbox(raw)).toEqual({ address, problem: null });
  });

  it.each([
    ['a..b@example.com', /dot .*after another dot/],
    ['.a@example.com', /dot at the beginning/],
    ['a.@example.com', /dot at the beginning or end/],
    ['"a..b"@example.com', /needs no quotes/],
    ['"a b"@example.com', /needs no quotes/],
    ['"a@b"@example.com', /needs no quotes/],
    [String.raw`"a\"b"@example.com`, /needs no quotes/],
    ['""@example.com', /needs no quotes/],
    ['"a\tb"@example.com', /needs no quotes/],
    ['a"b"@example.com', /local part of letters/],
    ['"a".b@example.com', /local part of letters/],
    ['ada(x)@example.com', /local part of letters/],
    ['ada @example.com', /local part of letters/],
    ['ada@b@example.com', /local part of letters/],
    ['ädä@example.com', /ASCII local part/],
    ['"ädä"@example.com', /ASCII local part/],
    [`${'a'.repeat(65)}@example.com`, /at most 64/],
    ['ada@example.com.', /end in a dot/],
    ['ada@example.com\u3002', /end in a dot/],
    ['ada@[127.0.0.1]', /not an address of a host/],
    ['ada@[IPv6:::1]', /not an address of a host/],
    ['ada@127.0.0.1', /not an address of a host/],
    ['ada@example', /domain name such as/],
    ['ada@xn--zzzzzzzz.example', /domain name such as/],
    ['<ada@example.com>', /./],
    ['Ada <ada@example.com>', /./],
    ['ada', /e-mail address such as/],
    ['@example.com', /e-mail address such as/],
  ])('is not %j, and the reason is the true one', (raw, reason) => {
    const { address, problem } = normalMailbox(raw);
    expect([raw, address]).toEqual([raw, null]);
    expect(problem).toMatch(reason);
  });

  it('is in the envelope and in the header, byte for byte, as it is stored', async () => {
    const local = fc.stringMatching(/^[\w.!#$%&'*+/=?^`{|}~"\\ @,;:()<>[\]-]{1,12}$/);
    const raw = fc.oneof(
      local,
      local.map((text) => `"${text}"`),
      local.map((text) => `"${text.replace(/./gs, String.raw`\$&`)}"`),
    );
    const domain = fc.constantFrom(
      'example.com',
      'Bücher.example',
      'xn--bcher-kva.example',
      'straße.example',
    );
    await fc.assert(
      fc.asyncProperty(raw, domain, async (written, host) => {
        const { address } = normalMailbox(`${written}@${host}`);
        if (address === null) return;
        expect(normalMailbox(address).address).toBe(address);
        const { envelope, to } = await compiled('service@example.com', address);
        expect([envelope.to, to]).toEqual([[address], address]);
      }),
      {
        numRuns: 300,
        examples: [
          ['=?utf-8?q?ada?=', 'example.com'],
          ['"-ada"', 'example.com'],
        ],
      },
    );
  });
});

describe('a sender', () => {
  it.each([
    ['hello@acme.example', 'hello@acme.example', '', 'hello@acme.example'],
    ['Acme <"hello"@acme.example>', 'Acme <hello@acme.example>', 'Acme', 'Acme <hello@acme.example>'],
    ['NoReply@BÜCHER.example', 'NoReply@xn--bcher-kva.example', '', 'NoReply@xn--bcher-kva.example'],
    ['service@localhost', 'service@localhost', '', 'service@localhost'],
    ['Acme, Inc. <a@b.example>', 'Acme, Inc. <a@b.example>', 'Acme, Inc.', '"Acme, Inc." <a@b.example>'],
    ['"Acme, Inc." <a@b.example>', '"Acme, Inc." <a@b.example>', 'Acme, Inc.', '"Acme, Inc." <a@b.example>'],
    ['Sales: a <a@b.example>', 'Sales: a <a@b.example>', 'Sales: a', '"Sales: a" <a@b.example>'],
    ['Acme (shop) <a@b.example>', 'Acme (shop) <a@b.example>', 'Acme (shop)', '"Acme (shop)" <a@b.example>'],
    ['a@x.example <a@b.example>', 'a@x.example <a@b.example>', 'a@x.example', '"a@x.example" <a@b.example>'],
  ])('%j is kept as %s, and in the mail says %s', async (written, kept, name, header) => {
    expect(normalSender(written)).toEqual({ address: kept, problem: null });
    const sender = senderOf(kept);
    expect(sender.name).toBe(name);
    const { envelope, from } = await compiled(kept, 'ada@example.com');
    expect([envelope.from, from]).toEqual([sender.address, header]);
  });

  it.each([
    '"a b"@example.com',
    'a..b@example.com',
    'Acme <"a@b"@example.com>',
    'ädä@example.com',
    'service@[127.0.0.1]',
    'service@example.com.',
    'a@b.example, c@d.example',
    'A <a@b.c>\r\nBcc: x@y.z',
    'A <a@b.c> <d@e.f>',
    '<a@b.c>',
    'nobody',
    '',
  ])('is not %j, neither of a project nor of the configuration', (written) => {
    expect(normalSender(written)).toMatchObject({ address: null });
    const settings = { SERVICE_IDENTITY__SMTP__HOST: 'mail', SERVICE_IDENTITY__SMTP__FROM: written };
    expect(() => load(settings)).toThrow('identity.smtp.from');
  });
});
