import { ApiProperty } from '@nestjs/swagger';
import type { JsonWebKey } from 'node:crypto';

/** Clients cache a JWKS this long; a key is published well before it signs. */
export const JWKS_MAX_AGE_SECS = 300;

export class JwksDto {
  @ApiProperty({ type: [Object], description: 'Public keys (RFC 7517).' })
  keys!: JsonWebKey[];
}

/** The document changes only with the configuration. The keys it points to have the same lifetime in caches. */
export const DISCOVERY_MAX_AGE_SECS = 300;

/**
 * The metadata of an issuer by OpenID Connect Discovery 1.0 and RFC 8414, as far as they apply. The service signs no ID
 * tokens and has no authorization endpoint, so it is not an OpenID provider: the document leads verifiers of access
 * tokens to the keys.
 */
export class DiscoveryDto {
  @ApiProperty({ type: String, description: 'The `iss` of access tokens: `identity.jwt_issuer`.' })
  issuer!: string;

  @ApiProperty({ type: String, format: 'uri', description: 'Public keys that verify access tokens.' })
  jwks_uri!: string;

  @ApiProperty({ type: String, format: 'uri', description: 'Takes JSON, not the form of OAuth.' })
  token_endpoint!: string;

  @ApiProperty({ type: [String], example: ['password', 'refresh_token'] })
  grant_types_supported!: string[];

  @ApiProperty({ type: [String], example: ['none'], description: 'Clients do not authenticate.' })
  token_endpoint_auth_methods_supported!: string[];

  @ApiProperty({ type: [String], example: [], description: 'None: there is no authorization endpoint.' })
  response_types_supported!: string[];

  @ApiProperty({ type: [String], example: ['public'], description: 'A user has one `sub` for everyone.' })
  subject_types_supported!: string[];

  @ApiProperty({
    type: [String],
    example: ['RS256'],
    description: 'The algorithm of access tokens. There are no ID tokens.',
  })
  id_token_signing_alg_values_supported!: string[];

  @ApiProperty({ type: String, format: 'uri' })
  service_documentation!: string;
}

/** @param jwks path, and query, of the keys; @param algorithm by which access tokens are signed */
export function discoveryOf(
  issuer: string,
  publicUrl: string,
  jwks: string,
  algorithm: string,
): DiscoveryDto {
  return {
    issuer,
    jwks_uri: `${publicUrl}${jwks}`,
    token_endpoint: `${publicUrl}/auth/v1/token`,
    grant_types_supported: ['password', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    response_types_supported: [],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [algorithm],
    service_documentation: `${publicUrl}/docs`,
  };
}
