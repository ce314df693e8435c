import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentUser, Endpoint } from '../../../platform/http/index.js';
import type { UserCaller } from '../../../platform/http/index.js';
import { CurrentUserDto } from './dto/user.js';
import { Profile } from './profile.js';

@ApiTags('Identity')
@Controller('auth/v1/user')
export class ProfileController {
  constructor(private readonly profile: Profile) {}

  @Endpoint.get('', {
    access: 'user',
    summary: "The caller's profile and organizations",
    response: CurrentUserDto,
  })
  async show(@CurrentUser() caller: UserCaller): Promise<CurrentUserDto> {
    return await this.profile.ofUser(caller.userId);
  }
}
