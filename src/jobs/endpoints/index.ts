export { EndpointsModule } from './endpoints.module.js';
