export {
  apiTargets,
  serviceNames,
  services,
  variableName,
  workerOf,
  workerTargets,
  namesWith,
  type DataServiceName,
  type ServiceName,
  type Target,
  type WorkerServiceName,
  type WorkerTarget,
} from './services.js';
