import { object } from 'yup';
import type { LandingPageView } from '../../api/admin';
import { raffle } from '../../form/rules';

export const drawingSchema = object({
  landingPage: raffle<LandingPageView | ''>('Please select a landing page/raffle to draw from'),
});
