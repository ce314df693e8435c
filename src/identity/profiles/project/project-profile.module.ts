import { Module } from '@nestjs/common';
import { IdentityCoreModule } from '../../core/index.js';

/** The identity endpoints of a project. */
@Module({ imports: [IdentityCoreModule] })
export class ProjectProfileModule {}
