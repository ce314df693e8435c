import { Inject, Injectable } from '@nestjs/common';
import { isIP } from 'node:net';
import { PublicUrl } from '../../http/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import type { RealmId } from '../users/user.repository.js';

/** To whom passkeys belong (WebAuthn Level 3, section 4, "Relying Party"). */
export interface RelyingParty {
  /** The domain that a passkey is bound to for good. */
  readonly id: string;
  /** What devices show. */
  readonly name: string;
  /** Where passkeys are made and used, compared exactly. */
  readonly origins: readonly string[];
}

/** Which relying party the accounts of a realm have. The active profile provides it. */
export abstract class RelyingParties {
  /** Not inside a transaction: it may query the database. */
  abstract of(realmId: RealmId): Promise<RelyingParty>;
}

/** The relying party of the deployment: `identity.passkeys`, else `identity.public_url`. */
@Injectable()
export class DeploymentRelyingParty {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** On the origins of the settings, and on the console's. */
  get(): RelyingParty {
    const { origins } = this.config.identity.passkeys;
    const inConsole = this.console();
    return { ...inConsole, origins: [...new Set([...origins, ...inConsole.origins])] };
  }

  /** On the origin of the console alone. */
  console(): RelyingParty {
    const { rpId, rpName } = this.config.identity.passkeys;
    const { hostname, origin } = passkeyUrl(this.publicUrl.base);
    const id = rpId ?? hostname;
    return { id, name: rpName ?? id, origins: [origin] };
  }
}

/** The address under which browsers have passkeys. None has them under an IP address, which on this machine has a name. */
function passkeyUrl(base: string): URL {
  const url = new URL(base);
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && (address.startsWith('127.') || address === '::1')) url.hostname = 'localhost';
  return url;
}
