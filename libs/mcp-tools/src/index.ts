export {
  cursorArgument,
  idArgument,
  instantArgument,
  limitArgument,
  localeArgument,
  pageArguments,
  textArgument,
} from './declare/arguments.js';
export { Tool, toolsOf } from './declare/tool.decorator.js';
export { declareTool, type ToolAnnotations, type ToolDeclaration, type ToolInputOf } from './declare/tool.js';
export { uploadLimitsOf, type UploadLimits } from './declare/upload-limits.js';
export { ToolExecutor, type ToolCall } from './execute/tool-executor.js';
export { toolPath, toolsModule, type ToolsModuleOptions } from './execute/tools-module.js';
export { inputSchemaOf, type JsonSchema } from './schema/input-schema.js';
