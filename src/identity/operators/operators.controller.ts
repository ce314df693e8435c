import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../http/index.js';
import { OperatorDto, toOperatorDto } from './operator.dto.js';
import { Operators } from './operators.js';

@ApiTags('Operator')
@Controller('admin/v1/operators')
export class OperatorsController {
  constructor(private readonly operators: Operators) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'The accounts that operate the deployment',
    description:
      'In the order of their addresses. `servicectl operators` adds and removes them, on the machine of the deployment.',
    response: [OperatorDto],
  })
  async list(): Promise<OperatorDto[]> {
    return (await this.operators.list()).map(toOperatorDto);
  }
}
