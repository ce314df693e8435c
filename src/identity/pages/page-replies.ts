import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { RefusalMetrics } from '../../platform/metrics/index.js';
import { PAGE_HEADERS } from './page-layout.js';
import type { PageAnswer } from './page-layout.js';

/** Sends pages. The error filter does not see what a page refuses, so it is counted here. */
@Injectable()
export class PageReplies {
  constructor(private readonly metrics: RefusalMetrics) {}

  async send(reply: FastifyReply, { status, markup, headers = {}, refusal }: PageAnswer): Promise<void> {
    if (refusal !== undefined) this.metrics.refused(refusal);
    await reply
      .status(status)
      .headers({ ...headers, ...PAGE_HEADERS })
      .send(markup);
  }
}
