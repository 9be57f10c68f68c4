import { http, HttpResponse } from 'msw';
import type { PermissionView, StaffRoleView } from '../../console/api/me';
import { aDashboard, aDrawing, aFlaggedUser, aPackage, aRaffle, aSealedDrawing } from './builders';
import { aFunnel, anAuditEntry, landingPages, someSettings, someTrends } from './builders';
import { aClaim, aClaimFile } from './claims';
import { aPerson, aPersonRow, aRequest } from './people';
import { aSale, someSales } from './sales';
import { anAddress, anAppeal, aNetwork } from './security';
import { aCampaign, anSmsStatus, aReport, aTemplate, smsFigures, someResults } from './smsBuilders';
import { aMe, aMember, anApproval, aSession, permissionsOf } from './staff';

/** What every call of the console's screens needs, and an answer with at least one row. */
const calls: [string, PermissionView, () => unknown][] = [
  ['me', 'own_account', () => aMe()],
  ['me/sessions', 'own_account', () => ({ sessions: [aSession()] })],
  [
    'analytics/dashboard',
    'view_figures',
    () => aDashboard({ suspiciousActivity: [anAddress({ flagged: false })] }),
  ],
  ['analytics/trends', 'view_figures', () => someTrends()],
  ['analytics/funnel', 'view_figures', () => ({ funnel: aFunnel() })],
  ['waiting', 'view_figures', () => ({ appeals: 2, claims: 3, approvals: 4 })],
  ['opening', 'view_figures', () => ({ checks: [] })],
  ['jobs', 'view_figures', () => ({ jobs: [] })],
  ['settings', 'view_figures', () => ({ settings: someSettings(), version: '1.2.3' })],
  ['entry-packages', 'view_figures', () => ({ packages: [aPackage()] })],
  ['raffles', 'view_figures', raffles],
  ['sales', 'view_sales', () => someSales()],
  ['purchases', 'view_sales', () => ({ purchases: [aSale()], total: 1, isTotalExact: true })],
  ['drawing/stats', 'view_figures', stats],
  ['drawing/history', 'view_figures', () => [aDrawing()]],
  ['sms/status', 'view_figures', () => anSmsStatus()],
  ['sms/analytics', 'view_figures', () => ({ analytics: smsFigures() })],
  ['sms/templates', 'view_figures', () => ({ templates: [aTemplate()] })],
  ['sms/campaigns', 'view_figures', () => ({ campaigns: [aCampaign()] })],
  ['sms/campaigns/4', 'view_figures', () => ({ campaign: aCampaign(), report: aReport() })],
  ['sms/campaigns/12/results', 'view_figures', () => someResults()],
  ['welcome-sms', 'view_figures', () => ({ templates: [], defaultTemplate: 'Welcome' })],
  ['fraud/appeals', 'decide_appeals', () => ({ appeals: [anAppeal()], open: 1 })],
  ['flagged-users', 'view_people', () => ({ flaggedUsers: [aFlaggedUser()] })],
  ['fraud/networks', 'view_people', () => ({ networks: [aNetwork()] })],
  ['sms/replies', 'view_people', () => ({ replies: [] })],
  ['people', 'view_people', () => ({ people: [aPersonRow()], total: 1, isTotalExact: true })],
  ['people/tags', 'view_people', () => ({ tags: ['vip'] })],
  ['people/7', 'view_people', () => aPerson()],
  ['people/7/data-requests', 'edit_people', () => ({ requests: [aRequest()] })],
  ['claims', 'view_claims', () => ({ claims: [aClaim()], total: 1, waiting: 1 })],
  ['claims/5', 'view_claims', () => aClaimFile()],
  ['audit-log', 'view_audit_log', () => ({ entries: [anAuditEntry()] })],
  ['approvals', 'view_approvals', () => ({ approvals: [anApproval()] })],
  ['staff', 'manage_staff', () => ({ staff: [aMember()] })],
];

function raffles() {
  const waiting = (landingPage: (typeof landingPages)[number], index: number) => [
    aSealedDrawing({ id: 8 + index, voidableAt: '2020-01-01T00:00:00Z', landingPage }),
  ];
  return {
    schedule: 'manual',
    beacon: 'off',
    delaySeconds: 120,
    raffles: landingPages.map((landingPage, index) =>
      aRaffle({ landingPage, waiting: waiting(landingPage, index) }),
    ),
  };
}

function stats() {
  return {
    landingPageStats: landingPages.map((landingPage) => ({
      landingPage,
      users: 2,
      totalEntries: 4,
      averageEntries: 2,
    })),
  };
}

/** Answers as the server does to this role; the calls that it refused, and those that it does not know, are kept. */
export function answeringAs(role: StaffRoleView) {
  const refused: string[] = [];
  const permissions = permissionsOf(role);
  const handler = http.all('*/api/admin/*', ({ request }) => {
    const path = new URL(request.url).pathname.replace('/api/admin/', '');
    const call = request.method === 'GET' && calls.find(([known]) => known === path);
    if (call && path === 'me') return HttpResponse.json(aMe({ role, environment: false }));
    if (call && permissions.includes(call[1])) return HttpResponse.json(call[2]() as object);
    refused.push(`${request.method} ${path}`);
    return HttpResponse.json({ error: 'Not allowed', code: 'forbidden' }, { status: 403 });
  });
  return { handler, refused };
}
