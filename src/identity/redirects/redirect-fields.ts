import { applyDecorators } from '@nestjs/common';
import { PatternField, TextBound, TextField } from '../../http/index.js';
import { MAX_REDIRECT_URL_LENGTH } from '../../platform/redirects/index.js';
import { CODE_CHALLENGE, CODE_VERIFIER } from './code-challenge.js';

const MAX_VERIFIER_LENGTH = 128;

/** A field that says where the page of a mail ends. Which URLs are allowed is decided by `RedirectUrls`. */
export function RedirectToField(): PropertyDecorator {
  return TextField(0, MAX_REDIRECT_URL_LENGTH, {
    optional: true,
    example: 'https://app.example.com/welcome',
    description:
      'Where the page of the mail ends, with `?code=…` added. It has to match an entry of the list of redirect URLs.',
  });
}

/** A field that binds the code of `redirect_to` to the caller. */
export function CodeChallengeField(): PropertyDecorator {
  return PatternField(CODE_CHALLENGE, 'must be the base64url of a SHA-256: 43 characters', {
    optional: true,
    example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    description:
      'The SHA-256 of a `code_verifier` in base64url (RFC 7636, S256). The code of `redirect_to` then takes the verifier.',
  });
}

/** A field that shows who made the request with the `code_challenge`. */
export function CodeVerifierField(): PropertyDecorator {
  return applyDecorators(
    PatternField(CODE_VERIFIER, 'must have 43 to 128 of the characters A-Z a-z 0-9 - . _ ~', {
      optional: true,
      example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      description: 'Needed where the request that mailed the link had a `code_challenge`.',
    }),
    TextBound(MAX_VERIFIER_LENGTH, 'must have 43 to 128 characters'),
  );
}
