/** What is wrong with a server's certificate, by the error codes of Node.js (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const PROBLEMS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired; renew it on the server',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet; check the clocks of both machines',
  CERT_REVOKED: 'the certificate was revoked; replace it on the server',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'the certificate is self-signed; use one of a known authority, or trust it with NODE_EXTRA_CA_CERTS',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'the certificate is for another host name; connect by a name that the certificate carries',
  SELF_SIGNED_CERT_IN_CHAIN:
    'the certificate was issued by an unknown authority; trust that authority with NODE_EXTRA_CA_CERTS',
  UNABLE_TO_GET_ISSUER_CERT:
    'an issuer of the certificate is unknown; have the server send its intermediate certificates',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'the certificate was issued by an unknown authority; trust that authority with NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the issuer of the certificate is unknown; have the server send its intermediate certificates, or trust the issuer with NODE_EXTRA_CA_CERTS',
};

/** The messages that OpenSSL and Node.js give, for libraries that replace the code of an error and keep its text. */
const BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/certificate has expired/i, 'CERT_HAS_EXPIRED'],
  [/certificate is not yet valid/i, 'CERT_NOT_YET_VALID'],
  [/certificate revoked/i, 'CERT_REVOKED'],
  [/does not match certificate's altnames/i, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  [/self-signed certificate in certificate chain/i, 'SELF_SIGNED_CERT_IN_CHAIN'],
  [/self-signed certificate/i, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  [/unable to get local issuer certificate/i, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  [/unable to get issuer certificate/i, 'UNABLE_TO_GET_ISSUER_CERT'],
  [/unable to verify the first certificate/i, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
];

/** What is wrong with the certificate, and what to do about it; null when the error is of another kind. */
export function certificateProblem(error: unknown): string | null {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const known = typeof code === 'string' ? PROBLEMS[code] : undefined;
  if (known !== undefined) return known;
  const text = typeof message === 'string' ? message : '';
  const named = BY_MESSAGE.find(([pattern]) => pattern.test(text))?.[1];
  return named === undefined ? null : (PROBLEMS[named] ?? null);
}
