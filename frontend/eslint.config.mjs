import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const featuresOf = (client) => readdirSync(new URL(`./src/${client}/features`, import.meta.url));

/** A lint zone: files that must not import what the patterns name, and why. */
const zone = (files, forbidden, message) => ({
  files: [files],
  ignores: ['**/*.test.{ts,tsx}'],
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: forbidden.map((regex) => ({ regex, message })) },
    ],
  },
});

/** In one client: api, form, lib, session and ui, then features, then the app. A later zone replaces an earlier one. */
const clientZones = (client, other) => [
  zone(
    `src/${client}/**`,
    [`/(${other}|entries|testing)/`, '/(features|app)/'],
    `what the features of ${client}/ share knows neither them nor ${other}/`,
  ),
  ...featuresOf(client).map((feature) =>
    zone(
      `src/${client}/features/${feature}/**`,
      [
        `/(${other}|app|entries|testing)/`,
        ...featuresOf(client)
          .filter((each) => each !== feature)
          .flatMap((each) => [`/features/${each}(/|$)`, `^(\\.\\./)+${each}(/|$)`]),
      ],
      'a feature knows neither other features nor the app: the app brings them together',
    ),
  ),
  zone(
    `src/${client}/app/**`,
    [`/(${other}|entries|testing)/`],
    `${client}/app knows neither ${other}/ nor how it is started`,
  ),
];

/** shared → site or console → entries; themes are data for all of them. */
export const zones = [
  zone('src/themes/**', ['/(shared|site|console|entries|testing)/'], 'themes import only themes'),
  zone(
    'src/shared/**',
    ['/(site|console|entries|testing)/'],
    'shared code knows neither of the two clients',
  ),
  ...clientZones('site', 'console'),
  ...clientZones('console', 'site'),
];

export default tseslint.config(
  {
    ignores: [
      'dist',
      'node_modules',
      'playwright-report',
      'test-results',
      'src/*/api/generated*.ts',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked, jsxA11y.flatConfigs.recommended],
    plugins: { 'react-hooks': reactHooks },
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      ...reactHooks.configs.recommended.rules,
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    // The product's own copy has the straight one.
    files: ['src/**'],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...['Literal[value=/’/]', 'JSXText[value=/’/]', 'TemplateElement[value.raw=/’/]'].map(
          (selector) => ({ selector, message: "write ', as everywhere on the pages" }),
        ),
      ],
    },
  },
  {
    // Browsers drop a table's meaning with its display, so this one spells its roles out.
    files: ['src/console/ui/Table.tsx'],
    rules: {
      'jsx-a11y/no-redundant-roles': 'off',
      'jsx-a11y/no-interactive-element-to-noninteractive-role': 'off',
    },
  },
  {
    files: ['**/*.{mjs,cjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        document: 'readonly', // in what a script evaluates in a page
        module: 'writable',
      },
    },
  },
  ...zones,
);
