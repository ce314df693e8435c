import { LocalWorker } from '../../../../src/jobs/runs/queue/local-worker.js';
import { BackgroundServices } from '../../../../src/platform/lifecycle/index.js';
import { createEnvironment } from '../../../support/environment.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';

test('a worker that is stopped without having been drained, as after a failed start, takes no more wake-ups', async () => {
  const environment = await createEnvironment();
  const service = await ServiceInProcess.start(environment.variables);
  const local = service.application.get(LocalWorker);
  expect(local.worker).not.toBeNull();
  await service.application.get(BackgroundServices).stop();
  expect(local.worker).toBeNull();
  // A loop over a closed queue would let nothing else run.
  await service.stop();
  await environment.dispose();
});
