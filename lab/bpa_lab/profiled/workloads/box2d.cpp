// Simulates scenes of Box2D's testbed. The functions in this file have no counters because they do not belong to the
// corpus.
#include <box2d/box2d.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#define UNCOUNTED __attribute__((no_profile_instrument_function))

static unsigned seed = 5;
UNCOUNTED static float drawn(float least, float most)
{
    seed = seed * 1664525 + 1013904223;
    return least + (most - least) * float(seed >> 8) / float(1 << 24);
}

UNCOUNTED static b2Body *body(b2World &world, b2BodyType type, b2Vec2 at)
{
    b2BodyDef definition;
    definition.type = type;
    definition.position = at;
    return world.CreateBody(&definition);
}

UNCOUNTED static b2Body *box(b2World &world, b2Vec2 at, float wide, float high, float density = 1)
{
    b2PolygonShape shape;
    shape.SetAsBox(wide, high);
    b2Body *made = body(world, density > 0 ? b2_dynamicBody : b2_staticBody, at);
    made->CreateFixture(&shape, density);
    return made;
}

UNCOUNTED static void heaps(b2World &world)
{
    box(world, {0, -1}, 200, 1, 0);
    for (int row = 0; row < 14; row++)
        for (int column = row; column < 14; column++)
            box(world, {-40 + 0.6f * row + 1.2f * (column - row), 0.6f + 1.1f * row}, 0.5f, 0.5f);
    for (int number = 0; number < 20; number++)
        box(world, {10 + number * 1.0f, 1.2f}, 0.1f, 1.2f);
    box(world, {9, 5}, 0.5f, 0.5f, 20)->SetLinearVelocity({3, 0});
    for (int number = 0; number < 120; number++) {
        b2Body *made = body(world, b2_dynamicBody, {drawn(60, 72), 5 + number * 0.4f});
        b2CircleShape circle;
        circle.m_radius = drawn(0.2f, 0.7f);
        b2PolygonShape polygon;
        b2Vec2 points[6];
        for (b2Vec2 &point : points)
            point = {drawn(-0.8f, 0.8f), drawn(-0.8f, 0.8f)};
        polygon.Set(points, 6);
        made->CreateFixture(number % 2 ? static_cast<b2Shape *>(&circle) : &polygon, 1);
    }
}

UNCOUNTED static void joints(b2World &world)
{
    b2Body *ground = body(world, b2_staticBody, {0, 0});
    b2Vec2 hills[80];
    for (int number = 0; number < 80; number++)
        hills[number] = {-100.0f + 4 * number, drawn(-1.5f, 1.5f)};
    b2ChainShape land;
    land.CreateChain(hills, 80, {-104, 0}, {220, 0});
    ground->CreateFixture(&land, 0);
    b2Body *previous = ground;
    for (int plank = 0; plank < 25; plank++) {
        b2Body *next = box(world, {-60.0f + plank, 14}, 0.5f, 0.125f, 20);
        b2RevoluteJointDef joint;
        joint.Initialize(previous, next, {-60.5f + plank, 14});
        world.CreateJoint(&joint);
        previous = next;
    }
    b2RevoluteJointDef end;
    end.Initialize(previous, ground, {-35.5f, 14});
    world.CreateJoint(&end);
    b2Body *drum = body(world, b2_dynamicBody, {40, 20});
    b2PolygonShape wall;
    for (int side = 0; side < 4; side++) {
        b2Vec2 at = {side == 0 ? 10.0f : side == 1 ? -10.0f : 0, side == 2 ? 10.0f : side == 3 ? -10.0f : 0};
        wall.SetAsBox(side < 2 ? 0.5f : 10, side < 2 ? 10 : 0.5f, at, 0);
        drum->CreateFixture(&wall, 5);
    }
    b2RevoluteJointDef turning;
    turning.Initialize(ground, drum, {40, 20});
    turning.motorSpeed = 0.3f;
    turning.maxMotorTorque = 1e8f;
    turning.enableMotor = true;
    world.CreateJoint(&turning);
    for (int number = 0; number < 90; number++)
        box(world, {35 + number % 10 * 1.0f, 15 + number / 10 * 1.0f}, drawn(0.1f, 0.35f), drawn(0.1f, 0.35f));
    for (int number = 0; number < 4; number++) {
        b2Body *car = box(world, {-90.0f + 10 * number, 6}, 1.5f, 0.4f);
        for (float side : {-1.0f, 1.0f}) {
            b2Body *wheel = body(world, b2_dynamicBody, car->GetPosition() + b2Vec2{side, -0.6f});
            b2CircleShape circle;
            circle.m_radius = 0.4f;
            wheel->CreateFixture(&circle, 1)->SetFriction(0.9f);
            b2WheelJointDef axle;
            axle.Initialize(car, wheel, wheel->GetPosition(), {0, 1});
            axle.motorSpeed = -12;
            axle.maxMotorTorque = 20;
            axle.enableMotor = true;
            b2LinearStiffness(axle.stiffness, axle.damping, 4, 0.7f, car, wheel);
            world.CreateJoint(&axle);
        }
    }
    b2Body *one = box(world, {100, 20}, 0.5f, 1), *other = box(world, {105, 20}, 0.5f, 1);
    b2PulleyJointDef pulley;
    pulley.Initialize(one, other, {100, 30}, {105, 30}, {100, 21}, {105, 21}, 1.5f);
    world.CreateJoint(&pulley);
    b2PrismaticJointDef slide;
    slide.Initialize(ground, box(world, {110, 15}, 1, 1), {110, 15}, {1, 0.3f});
    slide.enableLimit = slide.enableMotor = true;
    slide.lowerTranslation = -5;
    slide.upperTranslation = 5;
    slide.motorSpeed = 2;
    slide.maxMotorForce = 1000;
    world.CreateJoint(&slide);
    b2WeldJointDef weld;
    weld.Initialize(box(world, {115, 9}, 1, 0.2f), box(world, {117, 9}, 1, 0.2f), {116, 9});
    world.CreateJoint(&weld);
}

class Nearest : public b2RayCastCallback {
public:
    UNCOUNTED float ReportFixture(b2Fixture *, const b2Vec2 &, const b2Vec2 &, float fraction) override
    {
        hits++;
        return fraction;
    }
    long hits = 0;
};

class Count : public b2QueryCallback {
public:
    UNCOUNTED bool ReportFixture(b2Fixture *) override { return ++found < 100000; }
    long found = 0;
};

UNCOUNTED int main(int count, char **words)
{
    if (count < 3)
        return 2;
    b2World world({0, -10});
    bool with_joints = !std::strcmp(words[1], "joints");
    with_joints ? joints(world) : heaps(world);
    Nearest nearest;
    Count near;
    for (int step = 0; step < std::atoi(words[2]); step++) {
        world.Step(1 / 60.0f, 8, 3);
        for (int ray = 0; ray < 10; ray++)
            world.RayCast(&nearest, {drawn(-90, 90), 40}, {drawn(-90, 90), drawn(-5, 10)});
        b2AABB area;
        area.lowerBound = {drawn(-90, 60), 0};
        area.upperBound = area.lowerBound + b2Vec2{20, 10};
        world.QueryAABB(&near, area);
        if (with_joints && step % 20 == 0) {
            b2Body *bullet = box(world, {-100, drawn(3, 12)}, 0.2f, 0.2f, 10);
            bullet->SetBullet(true);
            bullet->SetLinearVelocity({300, 0});
        }
    }
    std::printf("%d %ld %ld\n", world.GetContactCount(), nearest.hits, near.found);
}
