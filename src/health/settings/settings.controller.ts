import { Controller, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../http/index.js';
import { CONFIG, settingsInForce } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { SettingDto, toSettingDto } from './settings.dto.js';

@ApiTags('Operator')
@Controller('admin/v1/settings')
export class SettingsController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'The settings in force, and where each comes from',
    description: 'Of the instance that answers, as it read them at its start. No secret is shown.',
    response: [SettingDto],
  })
  list(): SettingDto[] {
    return settingsInForce(this.config, this.config.written).map(toSettingDto);
  }
}
