import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../../audit/index.js';
import { CurrentCaller, CurrentProject, Endpoint, RequestOrigin } from '../../../../http/index.js';
import type { Caller, Origin, ResolvedProject } from '../../../../http/index.js';
import { BrandBody, BrandDto, toBrand, toBrandDto } from '../../../brand/index.js';
import { ProjectBrands } from './project-brands.js';

@ApiTags('Project settings')
@Controller('auth/v1/brand')
export class BrandController {
  constructor(private readonly brands: ProjectBrands) {}

  @Endpoint.get('', {
    access: 'service_key',
    summary: "The look of the project's mails and pages",
    response: BrandDto,
  })
  async show(@CurrentProject() { id }: ResolvedProject): Promise<BrandDto> {
    return toBrandDto(await this.brands.settingsOf(id));
  }

  @Endpoint.put('', {
    access: 'service_key',
    summary: "Set the look of the project's mails and pages, all of it",
    description: 'What is absent or null is as without a brand; the name is that of the project then.',
    response: BrandDto,
    errors: ['validation_failed'],
  })
  async put(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @Body() body: BrandBody,
    @RequestOrigin() origin: Origin,
  ): Promise<BrandDto> {
    const brand = toBrand(body);
    await this.brands.put({ project, actor: actorOf(caller), origin }, brand);
    return toBrandDto(brand);
  }
}
