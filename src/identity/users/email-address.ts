import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { isEmail, registerDecorator } from 'class-validator';
import { domainToASCII } from 'node:url';
import { TextBound } from '../../http/index.js';

const MIN_LENGTH = 3;
const MAX_LENGTH = 254;

/** `domainToASCII` parses a domain as in a URL: it would decode escapes and drop white space, port and path. */
const DOMAIN = /^[^\s\p{Cc}%/\\:?#@[\]]+$/u;

function isAscii(text: string): boolean {
  // Only ASCII: lower-casing folds some other letters into ASCII ones (KELVIN SIGN to k), and two people
  // must never share an address by that.
  return /^[\x21-\x7e]+$/.test(text);
}

/**
 * The one form in which an address is stored, compared and written to: trimmed, lower case, the domain in its IDNA form
 * (RFC 5891), the local part ASCII. Null for text that is not an address.
 */
export function normalizeEmail(raw: string): string | null {
  // First of all: normalising a long text takes time that grows with the square of its length.
  if (raw.length > MAX_LENGTH) return null;
  const text = raw.trim();
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  if (!isAscii(local) || !DOMAIN.test(domain)) return null;
  const address = `${local.toLowerCase()}@${domainToASCII(domain).toLowerCase()}`;
  if (address.length < MIN_LENGTH || address.length > MAX_LENGTH) return null;
  return isEmail(address) ? address : null;
}

/** A DTO field that takes an e-mail address and holds it in its normal form. */
export function EmailField(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: String,
      format: 'email',
      example: 'ada@example.com',
      minLength: MIN_LENGTH,
      maxLength: MAX_LENGTH,
    }),
    TextBound(MAX_LENGTH),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (normalizeEmail(value) ?? value) : value,
    ),
    (target: object, property: string | symbol) => {
      registerDecorator({
        name: 'emailAddress',
        target: target.constructor,
        propertyName: String(property),
        validator: {
          validate: (value: unknown) => typeof value === 'string' && normalizeEmail(value) !== null,
          defaultMessage: () => 'must be an e-mail address with an ASCII local part',
        },
      });
    },
  );
}
