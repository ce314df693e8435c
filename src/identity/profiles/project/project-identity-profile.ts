import { Injectable } from '@nestjs/common';
import { IdentityProfile } from '../../sessions/identity-profile.js';

/** What the project profile decides: a used refresh token and an ended session leave no row. */
@Injectable()
export class ProjectIdentityProfile extends IdentityProfile {
  readonly usedTokens = 'deleted';
  readonly proofHint = 'Follow the link of a mail: POST /auth/v1/magic-link or /auth/v1/recover sends one.';
}
