export { callerOf } from './caller.js';
export type { HeaderBag, VerifiedCaller, VerifiedElsewhere } from './caller.js';
export type { VerifiedUser } from './access-token-verifier.js';
export type { ExpressMiddleware, FastifyHook, NestGuard } from './guards.js';
export { verifyHandlerCall } from './handler-call.js';
export type { HandlerCall } from './handler-call.js';
export { Refusal } from './refusal.js';
export { createVerifier } from './verifier.js';
export type { Guards, Verifier, VerifierOptions } from './verifier.js';
