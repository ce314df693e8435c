import * as common from '@nestjs/common';
import * as promClient from 'prom-client';
import { evaluatePackage } from './evaluate-package.js';

/** Stands for @willsoto/nestjs-prometheus under Jest, and is it. */
export const {
  InjectMetric,
  makeCounterProvider,
  makeGaugeProvider,
  makeHistogramProvider,
  makeSummaryProvider,
  PrometheusController,
  PrometheusModule,
} = evaluatePackage('@willsoto/nestjs-prometheus/dist', {
  '@nestjs/common': common,
  'prom-client': promClient,
}) as typeof import('@willsoto/nestjs-prometheus');
