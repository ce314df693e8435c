import 'reflect-metadata';
import { RequestMethod } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { AppModule } from '../../src/app.module.js';
import { loadConfig } from '../../src/platform/config/index.js';
import { ACCESS, ANY_METHOD, MethodsByPath, RUN_TOKENS } from '../../src/http/index.js';
import type { Access, RunTokenAccess } from '../../src/http/index.js';
import { Tracing } from '../../src/platform/tracing/index.js';
import { ProgramLog } from '../../src/platform/logging/index.js';

export interface Route {
  /** `Controller.method`, which identifies it in a failure. */
  readonly handler: string;
  readonly method: string;
  /** In OpenAPI's notation: `/jobs/v1/runs/{id}`. */
  readonly path: string;
  readonly access: Access | undefined;
  /** What the route itself declares about run tokens. */
  readonly runTokens: RunTokenAccess | undefined;
}

type ModuleReference = Type | DynamicModule;

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- what Nest keeps under a key has one type
function metadata<Value>(key: string, target: object): Value | undefined {
  return Reflect.getMetadata(key, target) as Value | undefined;
}

/** All modules of a tree, without duplicates, with their controllers. */
async function collect(
  reference: ModuleReference | Promise<DynamicModule> | { forwardRef: () => ModuleReference },
  seen: Set<unknown>,
  controllers: Set<Type>,
): Promise<void> {
  const given = await reference;
  const module = 'forwardRef' in given ? given.forwardRef() : given;
  if (seen.has(module)) return;
  seen.add(module);
  const [type, dynamic] = 'module' in module ? [module.module, module] : [module, undefined];
  const declared = <Value>(key: string, more: readonly unknown[] | undefined): Value[] => [
    ...(metadata<Value[]>(key, type) ?? []),
    ...((more ?? []) as Value[]),
  ];
  for (const controller of declared<Type>(MODULE_METADATA.CONTROLLERS, dynamic?.controllers))
    controllers.add(controller);
  for (const imported of declared<ModuleReference>(MODULE_METADATA.IMPORTS, dynamic?.imports))
    await collect(imported, seen, controllers);
}

function methodNames(controller: Type): string[] {
  const names = new Set<string>();
  let at = controller.prototype as object | null;
  for (; at !== null; at = Object.getPrototypeOf(at) as object | null)
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  return [...names];
}

function routesOf(controller: Type): Route[] {
  const prefix = metadata<string>(PATH_METADATA, controller) ?? '';
  return methodNames(controller).flatMap((name) => {
    const handler: unknown = (controller.prototype as Record<string, unknown>)[name];
    if (typeof handler !== 'function') return [];
    const method = metadata<RequestMethod>(METHOD_METADATA, handler);
    if (method === undefined) return [];
    const path = `/${prefix}/${metadata<string>(PATH_METADATA, handler) ?? ''}`
      .replaceAll(/\/+/g, '/')
      .replace(/(?<=.)\/$/, '')
      .replaceAll(/:(\w+)/g, '{$1}')
      .replace(/\*$/, '{path}');
    return (method === RequestMethod.ALL ? ANY_METHOD : [RequestMethod[method]]).map((answered) => ({
      handler: `${controller.name}.${name}`,
      method: answered,
      path,
      access: metadata<Access>(ACCESS, handler),
      runTokens: metadata<RunTokenAccess>(RUN_TOKENS, handler),
    }));
  });
}

/** Every route of the program in a profile, from the controllers of its module tree. */
export async function programRoutes(profile: 'organization' | 'project' = 'organization'): Promise<Route[]> {
  const config = loadConfig({ env: { SERVICE_IDENTITY__PROFILE: profile }, cwd: process.cwd() });
  const controllers = new Set<Type>();
  await collect(
    AppModule.register(config, new ProgramLog(config), new MethodsByPath(), await Tracing.start(config, '0')),
    new Set(),
    controllers,
  );
  return [...controllers].flatMap(routesOf);
}
