// The whole model, fetched before it is first opened.

import { ModelPlan } from "./model_plan.js";

export default ModelPlan;
