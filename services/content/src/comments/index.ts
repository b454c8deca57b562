export { Captcha } from './captcha.js';
export { CommenterCookie } from './commenter-cookie.js';
export { Comment } from './comment.entity.js';
export { CommentDeps } from './comment-deps.js';
export { CommentsController } from './comments.controller.js';
