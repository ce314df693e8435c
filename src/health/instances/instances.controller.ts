import { Controller } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../http/index.js';
import { WorkerHeartbeat } from '../../jobs/index.js';
import { Database } from '../../platform/database/index.js';
import { InstanceRepository } from './instance.repository.js';

const ROLES = ['api', 'scheduler', 'worker'] as const;

export class InstanceDto {
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  @ApiProperty({ type: [String], enum: ROLES })
  roles!: string[];

  @ApiProperty({ example: '0.1.0' })
  version!: string;

  @ApiProperty({ format: 'date-time' })
  started_at!: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The last sign of life; one comes every ten seconds.',
  })
  seen_at!: string;

  @ApiProperty({ type: 'integer', example: 4, description: 'Runs that it executes.' })
  at_work!: number;
}

@ApiTags('Operator')
@Controller('admin/v1/instances')
export class InstancesController {
  constructor(
    private readonly database: Database,
    private readonly instances: InstanceRepository,
    private readonly workers: WorkerHeartbeat,
  ) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'The processes of the deployment, oldest first',
    description: 'A process that stops leaves the list. One that was killed stays for an hour.',
    response: [InstanceDto],
  })
  async list(): Promise<InstanceDto[]> {
    const [instances, running] = await Promise.all([
      this.instances.list(this.database.reader),
      this.workers.countRunning(),
    ]);
    return instances.map(({ id, roles, version, startedAt, seenAt }) => ({
      id,
      roles: [...roles],
      version,
      started_at: startedAt.toISOString(),
      seen_at: seenAt.toISOString(),
      at_work: running.get(id) ?? 0,
    }));
  }
}
