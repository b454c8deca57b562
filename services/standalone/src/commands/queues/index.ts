export { commandLineActor, formatList, formatSeconds, jsonOption } from './output.js';
export { addOutboxCommands, addWorkCommands } from './outbox-commands.js';
export { addQueueCommands } from './queue-commands.js';
