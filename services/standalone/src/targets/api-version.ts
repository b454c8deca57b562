/** As the OpenAPI document and the manifest name it (contract 37). */
export const apiVersion = '0.1.0';
