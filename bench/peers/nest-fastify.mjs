import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { announce, settings } from './settings.mjs';

class PermissionsController {
  permissions() {
    return settings.answer;
  }
}
// Decorators as the compiler applies them, since this is JavaScript.
const { prototype } = PermissionsController;
Get()(prototype, 'permissions', Object.getOwnPropertyDescriptor(prototype, 'permissions'));
Controller('permissions')(PermissionsController);

class AppModule {}
Module({ controllers: [PermissionsController] })(AppModule);

const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
announce(await app.getUrl(), () => app.close());
