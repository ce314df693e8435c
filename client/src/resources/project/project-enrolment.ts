import type { CallOptions } from '../../http/call.js';
import { createPasskey } from '../../passkeys.js';
import type { PasskeyCredential } from '../../passkeys.js';
import type { SessionKeeper } from '../../session/session-keeper.js';
import type { PasskeyCreationOptions, TotpEnrolment } from '../../shapes.js';
import type { ProjectApi } from '../apis.js';
import { signedIn } from '../sign-in.js';
import type { SignedIn } from '../sign-in.js';
import type { ProjectUser } from './project-shapes.js';

/** The user who signed in by adding the first factor, and the recovery codes, which are shown only here. */
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

/** Adds the first factor of an account during a sign-in, with the `enrolment.token` of its refusal. */
export class ProjectEnrolment {
  constructor(
    private readonly api: ProjectApi,
    private readonly keeper: SessionKeeper<ProjectUser>,
  ) {}

  /** Begins to add an authenticator app. `confirmTotp` activates it. */
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

  /** Creates a passkey in this browser, and signs in. */
  async addPasskey(token: string, name: string, options: CallOptions = {}): Promise<EnrolledSignIn> {
    const credential = await createPasskey(await this.passkeyOptions(token, options), options.signal);
    return await this.finishPasskey({ token, name, credential }, options);
  }

  /** The `publicKey` argument of `navigator.credentials.create`, as JSON: the first half of `addPasskey`. */
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
