import { Secret, TOTP } from 'otpauth';
import qrcode from 'qrcode-generator';

/** What every authenticator application supports: HMAC-SHA-1, 6 digits, 30 s (RFC 6238, section 4). */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const CODE = /^[0-9]{6}$/;
/** Steps before and after the current one, for clocks that differ (RFC 6238, section 5.2). */
const WINDOW = 1;
/** As long as the hash (RFC 4226, section 4, R6). */
const SECRET_BYTES = 20;
const QR_CELL_PIXELS = 4;

/** How an authenticator application names the account. */
export interface TotpLabel {
  readonly issuer: string;
  readonly account: string;
}

/** A new secret, as an application takes it. */
export interface TotpEnrolment {
  /** Base32 (RFC 4648). */
  readonly secret: string;
  readonly uri: string;
  readonly qrSvg: string;
}

export function newTotpSecret(): Uint8Array {
  return new Secret({ size: SECRET_BYTES }).bytes;
}

function totpOf(secret: Uint8Array, label: TotpLabel): TOTP {
  const { issuer, account } = label;
  // The library copies no bytes: a Buffer of Node's pool would hand over the pool.
  const key = new Secret({ buffer: new Uint8Array(secret).buffer });
  return new TOTP({ ...SETTINGS, issuer, label: account, secret: key });
}

export function enrolmentOf(secret: Uint8Array, label: TotpLabel): TotpEnrolment {
  const totp = totpOf(secret, label);
  const uri = totp.toString();
  const code = qrcode(0, 'M');
  code.addData(uri);
  code.make();
  return {
    secret: totp.secret.base32,
    uri,
    qrSvg: code.createSvgTag({ cellSize: QR_CELL_PIXELS, margin: QR_CELL_PIXELS * 4, scalable: true }),
  };
}

/**
 * The time step that the code is of, if it is one of the current step and those beside it; null for any other code.
 * Whether the step was used is for the caller to find out.
 */
export function stepOf(secret: Uint8Array, code: string, at: Date): number | null {
  // The library throws for other characters.
  if (!CODE.test(code)) return null;
  const timestamp = at.getTime();
  const delta = totpOf(secret, { issuer: '', account: '' }).validate({
    token: code,
    timestamp,
    window: WINDOW,
  });
  return delta === null ? null : Math.floor(timestamp / 1000 / SETTINGS.period) + delta;
}
