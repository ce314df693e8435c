import { Injectable, Logger } from '@nestjs/common';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { ChangeFeed } from '../../events/index.js';
import { KeyRing, UnsealError } from '../../platform/crypto/index.js';
import { Database, rows } from '../../platform/database/index.js';
import type { Duty } from '../../platform/lifecycle/index.js';
import { StartRefusal } from '../../platform/refusal/index.js';
import { SigningKeyEntity } from './signing-key.entity.js';

const RSA_BITS = 2048;
const ALGORITHM = 'RS256';

/** The key that signs now. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** A public key of the key set (RFC 7517). */
export interface PublicKey {
  readonly kid: string;
  readonly key: KeyObject;
  readonly jwk: JsonWebKey;
}

interface LoadedKeys {
  readonly active: SigningKey;
  readonly published: ReadonlyMap<string, PublicKey>;
}

function sealContext(kid: string): string {
  return `signing_keys.private_key:${kid}`;
}

/**
 * The deployment's signing keys, in memory: neither signing nor verifying asks the database. The first
 * instance of a new deployment mints the first key; the others find it.
 */
@Injectable()
export class SigningKeys implements Duty {
  readonly name = 'signing keys';
  private readonly logger = new Logger(SigningKeys.name);
  private loaded: LoadedKeys | null = null;

  constructor(
    private readonly database: Database,
    private readonly keyRing: KeyRing,
    changes: ChangeFeed,
  ) {
    changes.onChange((change) => {
      if (change === 'everything' || change.kind === 'signing_keys') void this.reload();
    });
  }

  async start(): Promise<void> {
    this.loaded = (await this.load()) ?? (await this.mintFirst());
  }

  async stop(): Promise<void> {
    // Holds nothing that needs letting go.
  }

  get areLoaded(): boolean {
    return this.loaded !== null;
  }

  get active(): SigningKey {
    return this.current.active;
  }

  find(kid: string): PublicKey | undefined {
    return this.current.published.get(kid);
  }

  /** The public keys in use, as `GET /auth/v1/keys` serves them. */
  keySet(): { keys: JsonWebKey[] } {
    return { keys: [...this.current.published.values()].map((key) => key.jwk) };
  }

  private get current(): LoadedKeys {
    if (this.loaded === null) throw new Error('signing keys are read before they were loaded');
    return this.loaded;
  }

  private async reload(): Promise<void> {
    if (this.loaded === null) return;
    try {
      this.loaded = (await this.load()) ?? this.loaded;
    } catch (error) {
      this.logger.warn(error, 'could not read the signing keys again; the ones in memory stay in use');
    }
  }

  private async load(): Promise<LoadedKeys | null> {
    const entities = await this.database.reader
      .createQueryBuilder(SigningKeyEntity, 'signing_key')
      .where(`state <> 'retired'`)
      .orderBy('created_at')
      .getMany();
    const active = entities.find((entity) => entity.state === 'active');
    if (active === undefined) return null;
    const published = entities.map(({ kid, publicJwk }): [string, PublicKey] => [
      kid,
      { kid, jwk: publicJwk, key: createPublicKey({ key: publicJwk, format: 'jwk' }) },
    ]);
    return { active: { kid: active.kid, privateKey: this.unseal(active) }, published: new Map(published) };
  }

  private unseal(entity: SigningKeyEntity): KeyObject {
    try {
      return createPrivateKey(
        this.keyRing.open(entity.sealedPrivateKey, sealContext(entity.kid)).toString('utf8'),
      );
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      throw new StartRefusal(
        'identity.data_key does not open the signing keys in this database; ' +
          'start with the data key that the database was first used with (or list it in identity.data_key_previous)',
        { cause: error },
      );
    }
  }

  private async mintFirst(): Promise<LoadedKeys> {
    const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS });
    const publicJwk = await exportJWK(publicKey);
    const kid = await calculateJwkThumbprint(publicJwk);
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    // Of instances that start together one inserts, by the unique index on the active key.
    await rows(
      this.database.oneStatement,
      `INSERT INTO signing_keys (kid, algorithm, state, public_jwk, sealed_private_key)
       VALUES ($1, $2, 'active', $3, $4) ON CONFLICT DO NOTHING`,
      [
        kid,
        ALGORITHM,
        JSON.stringify({ ...publicJwk, kid, alg: ALGORITHM, use: 'sig' }),
        this.keyRing.seal(pem, sealContext(kid)),
      ],
    );
    const loaded = await this.load();
    if (loaded === null) throw new Error('the signing key that was just stored is not there');
    return loaded;
  }
}
