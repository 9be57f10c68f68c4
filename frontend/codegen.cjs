/** scripts/codegen-check.mjs generates into folders of this name, beside the committed files. */
const subfolder = process.env.CODEGEN_SUBFOLDER ?? '.';
const site = './src/site/api';
const console = './src/console/api';

/** A file of calls and types for each client, so that staff's calls stay out of what visitors download. */
const file = (apiFile, apiImport, isIncluded) => ({
  apiFile,
  apiImport,
  filterEndpoints: (_name, { path }) => isIncluded(path),
});

const isOfTexts = (path) =>
  /^\/api\/admin\/(sms\/|welcome-sms|save-credentials|clear-campaigns|clear-sms)/.test(path);

/** Calls of the page beside the success page. */
const isOfData = (path) => /^\/api\/users\/[^/]+\/(data-requests|purchases.*)$/.test(path);
/** Calls of the block that sells entries and gives them free. */
const isOfBoost = (path) => /\/(free-entries|odds)$/.test(path);

/** Calls of the section People. */
const isOfPeople = (path) => path.startsWith('/api/admin/people');

/** Accounts of staff, and what they propose; but for who is signed in, which the console asks first. */
const isOfStaff = (path) => /^\/api\/(staff\/|admin\/(staff|approvals|me\/))/.test(path);
const isOfMe = (path) => path === '/api/admin/me';

const siteFile = (isIncluded) => file(`${site}/baseApi.ts`, 'baseApi', isIncluded);
const consoleFile = (isIncluded) => file(`${console}/adminApi.ts`, 'adminApi', isIncluded);

/** The client's calls and types, made from the server's own description of itself. */
module.exports = {
  schemaFile: process.env.OPENAPI_FILE ?? '../docs/openapi.json',
  apiFile: `${site}/baseApi.ts`,
  exportName: 'api',
  hooks: true,
  encodePathParams: true,
  outputFiles: {
    [`${site}/${subfolder}/generated.ts`]: siteFile(
      (path) => path.startsWith('/api/users') && !isOfData(path) && !isOfBoost(path),
    ),
    // Only the page "Your entry and your data" uses these.
    [`${site}/${subfolder}/generatedData.ts`]: siteFile(isOfData),
    // Only messages about drawings use these.
    [`${site}/${subfolder}/generatedPush.ts`]: siteFile((path) => path.startsWith('/api/push')),
    // Only the pages of drawings load these.
    [`${site}/${subfolder}/generatedDrawings.ts`]: siteFile(
      (path) => /^\/api\/(drawings|raffles)/.test(path) && !path.endsWith('/entrants'),
    ),
    // Only the pages of claims load these.
    [`${site}/${subfolder}/generatedClaims.ts`]: siteFile((path) => path.startsWith('/api/claims')),
    // Only the pages of the rules load these.
    [`${site}/${subfolder}/generatedRules.ts`]: siteFile((path) => path.startsWith('/api/rules')),
    // Only success pages load these. The webhook is the provider's.
    [`${site}/${subfolder}/generatedPurchase.ts`]: siteFile(
      (path) =>
        /^\/api\/(entry-packages|confirm-payment|stripe\/create-payment-intent)$/.test(path) ||
        isOfBoost(path),
    ),
    // An export is no JSON: it is fetched by hand and saved as it comes. The offer tells whether payments are configured.
    [`${console}/${subfolder}/generatedAdmin.ts`]: consoleFile(
      (path) =>
        (path.startsWith('/api/admin') &&
          !path.endsWith('/export') &&
          !isOfTexts(path) &&
          !isOfPeople(path) &&
          !isOfStaff(path) &&
          !isOfMe(path)) ||
        path === '/api/entry-packages',
    ),
    // Loaded before anything is shown.
    [`${console}/${subfolder}/generatedMe.ts`]: consoleFile(isOfMe),
    // Only the screens about accounts and approvals load these.
    [`${console}/${subfolder}/generatedStaff.ts`]: consoleFile(isOfStaff),
    // Only the section People loads these.
    [`${console}/${subfolder}/generatedPeople.ts`]: consoleFile(isOfPeople),
    // Only the screens about texts load these.
    [`${console}/${subfolder}/generatedSms.ts`]: consoleFile(
      (path) => isOfTexts(path) && !path.endsWith('/export'),
    ),
  },
};
