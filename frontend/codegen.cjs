const folder = process.env.CODEGEN_FOLDER ?? './src/shared/api';

/** A file of calls and types for each client, so that staff's calls stay out of what visitors download. */
const file = (api, isIncluded) => ({
  apiFile: `./src/shared/api/${api}.ts`,
  apiImport: api,
  filterEndpoints: (_name, { path }) => isIncluded(path),
});

const isOfTexts = (path) =>
  /^\/api\/admin\/(sms\/|welcome-sms|save-credentials|clear-campaigns|clear-sms)/.test(path);

/** The client's calls and types, made from the server's own description of itself. */
module.exports = {
  schemaFile: process.env.OPENAPI_FILE ?? '../docs/openapi.json',
  apiFile: './src/shared/api/baseApi.ts',
  exportName: 'api',
  hooks: true,
  encodePathParams: true,
  outputFiles: {
    [`${folder}/generated.ts`]: file('baseApi', (path) => path.startsWith('/api/users')),
    // Only the pages of drawings load these.
    [`${folder}/generatedDrawings.ts`]: file(
      'baseApi',
      (path) => /^\/api\/(drawings|raffles)/.test(path) && !path.endsWith('/entrants'),
    ),
    // Only success pages load these. The webhook is the provider's.
    [`${folder}/generatedPurchase.ts`]: file('baseApi', (path) =>
      /^\/api\/(entry-packages|confirm-payment|stripe\/create-payment-intent)$/.test(path),
    ),
    // An export is no JSON: it is fetched by hand and saved as it comes. The offer tells whether payments are configured.
    [`${folder}/generatedAdmin.ts`]: file(
      'adminApi',
      (path) =>
        (path.startsWith('/api/admin') && !path.endsWith('/export') && !isOfTexts(path)) ||
        path === '/api/entry-packages',
    ),
    // Only the screens about texts load these.
    [`${folder}/generatedSms.ts`]: file(
      'adminApi',
      (path) => isOfTexts(path) && !path.endsWith('/export'),
    ),
  },
};
