export {
  CronTriggerDto,
  DataTriggerDto,
  EventTriggerDto,
  toStoredTrigger,
  toTriggerDto,
  TRIGGER_CLASSES,
  TRIGGER_TYPES,
  triggerClassOf,
  WebhookTriggerDto,
  WebhookVerificationDto,
} from './dto/trigger.js';
export type { StoredTrigger, TriggerDto } from './dto/trigger.js';
export { JOB_ID } from './job-id.js';
export type { JobTriggers, DeclaredTrigger, TriggerFault, TriggerKind } from './trigger-kinds.js';
export { TriggerKinds } from './trigger-kinds.js';
