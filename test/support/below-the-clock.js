import { setPriority } from 'node:os';

// For this worker and the programs that its suites start, beside those that are measured by the clock.
setPriority(10);
