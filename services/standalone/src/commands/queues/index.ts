export { addOutboxCommands, addWorkCommands } from './outbox-commands.js';
export { addQueueCommands } from './queue-commands.js';
