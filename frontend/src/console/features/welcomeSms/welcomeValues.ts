import type { LandingPageView } from '../../api/admin';

export interface WelcomeValues {
  landingPage: LandingPageView;
  messageTemplate: string;
}

export const newWelcome: WelcomeValues = { landingPage: '', messageTemplate: '' };

/** What the server says too when either is missing. */
export const REQUIRED = 'Please select a landing page and enter a message template';
