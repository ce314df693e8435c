import { Injectable, Logger } from '@nestjs/common';
import { createPublicKey } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { CacheInvalidation } from '../../cache-invalidation/index.js';
import { KeyRing } from '../../platform/crypto/index.js';
import type { AssociatedData } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import {
  openSigningKey,
  RUN_TOKEN_ALGORITHM,
  runTokenKeyAssociatedData,
  signingKeyAssociatedData,
} from './signing-key-pair.js';
import { isPublishedAt, signerAt } from './signing-key-times.js';
import { SigningKeyRepository } from './signing-key.repository.js';
import type { SigningKeyEntity } from './signing-key.repository.js';

/** The key that signs now. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** The key that signs run tokens now. */
export interface RunTokenKey extends SigningKey {
  readonly algorithm: string;
  /** The `kid` of the signing key with which it is published and retired. */
  readonly signingKid: string;
}

/** A public key of the JWKS (RFC 7517). */
export interface PublicKey {
  readonly kid: string;
  readonly algorithm: string;
  readonly key: KeyObject;
  readonly jwk: JsonWebKey;
}

interface LoadedKey extends SigningKeyEntity {
  readonly privateKey: KeyObject | null;
  readonly runPrivateKey: KeyObject | null;
  /** Its own public key, and that of its companion for run tokens. */
  readonly publicKeys: readonly PublicKey[];
}

type Signer = LoadedKey & { readonly privateKey: KeyObject; readonly runPrivateKey: KeyObject };

/**
 * The deployment's signing keys, in memory: neither signing nor verifying asks the database. Which key signs and which
 * still verify follows from the times in the rows, so that every instance switches at the same instant, whichever
 * writes the new states.
 */
@Injectable()
export class SigningKeys {
  private readonly logger = new Logger(SigningKeys.name);
  private loaded: ReadonlyMap<string, LoadedKey> | null = null;
  /** The difference between the database's clock and this process's, in milliseconds; late rather than early. */
  private clockOffsetMs = 0;
  private readonly listeners: (() => void)[] = [];
  private lastRead = 0;
  private lastKept = 0;

  constructor(
    private readonly database: Database,
    private readonly repository: SigningKeyRepository,
    private readonly keyRing: KeyRing,
    private readonly clock: Clock,
    changes: CacheInvalidation,
  ) {
    changes.onChange((change) => {
      if (change !== 'everything' && change.kind !== 'signing_keys') return;
      if (this.loaded !== null) void this.refresh();
    });
  }

  get areLoaded(): boolean {
    return this.loaded !== null;
  }

  /** The database's time, from memory. */
  get now(): Date {
    return new Date(this.clock.now().getTime() + this.clockOffsetMs);
  }

  get active(): SigningKey {
    const { kid, privateKey } = this.signer;
    return { kid, privateKey };
  }

  get activeForRuns(): RunTokenKey {
    const { kid, runPublicJwk, runPrivateKey } = this.signer;
    return {
      kid: runPublicJwk.kid,
      privateKey: runPrivateKey,
      algorithm: RUN_TOKEN_ALGORITHM,
      signingKid: kid,
    };
  }

  /** The keys that are not retired, as they were last read. */
  get entities(): readonly LoadedKey[] {
    return [...this.current.values()];
  }

  find(kid: string): PublicKey | undefined {
    const { now } = this;
    for (const signingKey of this.current.values()) {
      const key = signingKey.publicKeys.find((each) => each.kid === kid);
      if (key !== undefined) return isPublishedAt(signingKey, now) ? key : undefined;
    }
    return undefined;
  }

  /** The public keys in use, as `GET /auth/v1/keys` serves them. */
  jwks(): { keys: JsonWebKey[] } {
    const { now } = this;
    return {
      keys: this.entities
        .filter((key) => isPublishedAt(key, now))
        .flatMap(({ publicKeys }) => publicKeys.map(({ jwk }) => jwk)),
    };
  }

  /** Calls the listener whenever the keys have been read. */
  onLoad(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Reads the keys again. If reads overlap, the one that began last counts. */
  async reload(): Promise<void> {
    this.lastRead += 1;
    const read = this.lastRead;
    const entities = await this.repository.inUse(this.database.reader);
    const databaseNow = await this.repository.now(this.database.reader);
    const clockOffsetMs = databaseNow.getTime() - this.clock.now().getTime();
    if (read < this.lastKept) return;
    this.lastKept = read;
    this.clockOffsetMs = clockOffsetMs;
    this.loaded = new Map(entities.map((entity) => [entity.kid, this.open(entity)]));
    for (const listener of this.listeners) listener();
  }

  /** Reads again; when that fails, the keys in memory stay in use. */
  async refresh(): Promise<void> {
    try {
      await this.reload();
    } catch (error) {
      this.logger.warn(error, 'could not read the signing keys again; the ones in memory stay in use');
    }
  }

  private get current(): ReadonlyMap<string, LoadedKey> {
    if (this.loaded === null) throw new Error('signing keys are read before they were loaded');
    return this.loaded;
  }

  private get signer(): Signer {
    const signer = signerAt(this.entities, this.now);
    if (signer === undefined || !canSign(signer)) throw new Error('there is no key to sign with');
    return signer;
  }

  /** Private keys that are open stay open. */
  private open(entity: SigningKeyEntity): LoadedKey {
    const { kid, sealedPrivateKey, sealedRunPrivateKey } = entity;
    const known = this.loaded?.get(kid);
    const opened = (
      sealed: Buffer | null,
      key: KeyObject | null | undefined,
      associatedData: AssociatedData,
    ) => (sealed === null ? null : (key ?? openSigningKey(this.keyRing, sealed, associatedData)));
    return {
      ...entity,
      privateKey: opened(sealedPrivateKey, known?.privateKey, signingKeyAssociatedData(kid)),
      runPrivateKey: opened(sealedRunPrivateKey, known?.runPrivateKey, runTokenKeyAssociatedData(kid)),
      publicKeys: publicKeysOf(entity, known?.publicKeys ?? []),
    };
  }
}

function canSign(key: LoadedKey): key is Signer {
  return key.privateKey !== null && key.runPrivateKey !== null;
}

/** @param known those of the same row before, which another text in the database does not replace */
function publicKeysOf(
  { kid, algorithm, publicJwk, runPublicJwk }: SigningKeyEntity,
  known: readonly PublicKey[],
): PublicKey[] {
  const publicKeyOf = (keyId: string, alg: string, jwk: JsonWebKey): PublicKey =>
    known.find((key) => key.kid === keyId) ?? { kid: keyId, algorithm: alg, key: keyOf(jwk), jwk };
  return [
    publicKeyOf(kid, algorithm, publicJwk),
    publicKeyOf(runPublicJwk.kid, RUN_TOKEN_ALGORITHM, runPublicJwk),
  ];
}

function keyOf(jwk: JsonWebKey): KeyObject {
  return createPublicKey({ key: jwk, format: 'jwk' });
}
