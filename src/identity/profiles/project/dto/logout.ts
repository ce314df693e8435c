import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { Omittable } from '../../../../platform/http/index.js';

export class ProjectLogoutBody {
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: 512,
    description: 'Names the session, in place of an access token.',
  })
  @Omittable()
  @IsString({ message: 'must be text' })
  @Length(1, 512, { message: 'must have 1 to 512 characters' })
  refresh_token?: string;
}
