import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint, RequestOrigin } from '../../../../http/index.js';
import type { Origin } from '../../../../http/index.js';
import { BrandDto, Brands, toBrandDto } from '../../../brand/index.js';
import { MailTestBody } from '../../../mail-templates/index.js';
import { DEPLOYMENT_REALM } from '../../../users/user.repository.js';
import { DeploymentMailTest } from './deployment-mail-test.js';

/** How the mails of the deployment look, and whether they leave. */
@ApiTags('Operator')
@Controller('admin/v1')
export class OperatorBrandController {
  constructor(
    private readonly brands: Brands,
    private readonly mailTest: DeploymentMailTest,
  ) {}

  @Endpoint.get('brand', {
    access: 'operator',
    summary: 'The look of mails and pages',
    description: 'As the settings under `identity.brand` have it.',
    response: BrandDto,
  })
  async show(): Promise<BrandDto> {
    return toBrandDto(await this.brands.of(DEPLOYMENT_REALM));
  }

  @Endpoint.post('mail/test', {
    access: 'operator',
    summary: 'Send a test mail through the settings, now',
    status: 204,
    errors: ['validation_failed', 'mail_not_configured', 'mail_failed', 'rate_limited'],
  })
  async test(@Body() { to }: MailTestBody, @RequestOrigin() origin: Origin): Promise<void> {
    await this.mailTest.send(to, origin);
  }
}
