import { Injectable } from '@nestjs/common';
import { IdentityProfile } from '../../core/index.js';

/** What the project profile decides: a used refresh token and an ended session leave no row. */
@Injectable()
export class ProjectIdentityProfile extends IdentityProfile {
  readonly spentRows = 'deleted';
}
