import type { CallOptions } from '../../http/call.js';
import { createPasskey } from '../../passkeys.js';
import type { PasskeyCredential } from '../../passkeys.js';
import type { SessionKeeper } from '../../session/session-keeper.js';
import type { PasskeyCreationOptions, TotpEnrolment } from '../../shapes.js';
import type { ProjectApi } from '../apis.js';
import { signedIn } from '../sign-in.js';
import type { SignedIn } from '../sign-in.js';
import type { ProjectUser } from './project-shapes.js';

/** Who signed in by adding the first factor of the account, with the recovery codes, which are shown this once. */
export interface EnrolledSignIn extends SignedIn<ProjectUser> {
  readonly recoveryCodes: readonly string[];
}

interface FirstTotp {
  /** The `enrolment.token` of the refused sign-in. */
  readonly token: string;
  readonly id: string;
  readonly code: string;
}

interface FirstPasskey {
  readonly token: string;
  readonly name: string;
  readonly credential: PasskeyCredential;
}

/** Adds the first factor of an account within a sign-in, with the `enrolment.token` of its refusal. */
export class ProjectEnrolment {
  constructor(
    private readonly api: ProjectApi,
    private readonly keeper: SessionKeeper<ProjectUser>,
  ) {}

  /** Begins to add an authenticator application; `confirmTotp` puts it in force. */
  async addTotp(token: string, name: string, { signal }: CallOptions = {}): Promise<TotpEnrolment> {
    const body = { enrolment_token: token, name };
    return await this.api.post('/auth/v1/enrolment/totp', { body, as: 'nobody', signal });
  }

  /** Signs in. */
  async confirmTotp({ token, id, code }: FirstTotp, { signal }: CallOptions = {}): Promise<EnrolledSignIn> {
    const answer = await this.api.post('/auth/v1/enrolment/totp/{id}/confirm', {
      parameters: { id },
      body: { enrolment_token: token, code },
      as: 'nobody',
      signal,
    });
    const session = await signedIn(this.keeper, answer, answer.user);
    return { ...session, recoveryCodes: answer.recovery_codes };
  }

  /** Makes a passkey in this browser, and signs in. */
  async addPasskey(token: string, name: string, options: CallOptions = {}): Promise<EnrolledSignIn> {
    const credential = await createPasskey(await this.passkeyOptions(token, options), options.signal);
    return await this.finishPasskey({ token, name, credential }, options);
  }

  /** What `navigator.credentials.create` takes as `publicKey`, in JSON: the first half of `addPasskey`. */
  async passkeyOptions(token: string, { signal }: CallOptions = {}): Promise<PasskeyCreationOptions> {
    const body = { enrolment_token: token };
    return await this.api.post('/auth/v1/enrolment/passkeys/options', { body, as: 'nobody', signal });
  }

  /** The second half of `addPasskey`. */
  async finishPasskey(
    { token, name, credential }: FirstPasskey,
    { signal }: CallOptions = {},
  ): Promise<EnrolledSignIn> {
    const body = { enrolment_token: token, name, credential: { ...credential } };
    const answer = await this.api.post('/auth/v1/enrolment/passkeys', { body, as: 'nobody', signal });
    const session = await signedIn(this.keeper, answer, answer.user);
    return { ...session, recoveryCodes: answer.recovery_codes };
  }
}
